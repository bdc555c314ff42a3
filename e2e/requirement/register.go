// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"
)

//go:embed register/*.yaml
var files embed.FS

// register is read on first use; it never changes afterwards.
var register = sync.OnceValue(func() index {
	all, err := load(files)
	if err != nil {
		panic(fmt.Sprintf("the embedded register of requirements is broken: %v", err))
	}
	positions := make(map[string]int, len(all))
	for i, r := range all {
		positions[r.ID] = i
	}
	return index{rows: all, positions: positions}
})

type index struct {
	rows      []Requirement
	positions map[string]int
}

// All returns every requirement, area by area, in the order of its source.
func All() []Requirement {
	return slices.Clone(register().rows)
}

// ByID returns the requirement with the id, and whether the register has one.
func ByID(id string) (Requirement, bool) {
	known := register()
	position, found := known.positions[id]
	if !found {
		return Requirement{}, false
	}
	return known.rows[position], true
}

// load reads every YAML file under root's register directory and checks it.
func load(root fs.FS) ([]Requirement, error) {
	names, err := fs.Glob(root, "register/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing the register's files: %w", err)
	}
	var all []Requirement
	for _, name := range names {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, fmt.Errorf("reading the register: %w", err)
		}
		rows, err := parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, rows...)
	}
	if err := validate(all); err != nil {
		return nil, err
	}
	return all, nil
}
