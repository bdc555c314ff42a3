// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Minors returns the Kubernetes minors that can be built, such as "1.36", sorted by name: one for each module.
func Minors() ([]string, error) {
	found, err := fs.Glob(modules, "modules/kubernetes/v*.mod")
	if err != nil {
		return nil, fmt.Errorf("listing the Kubernetes versions: %w", err)
	}
	var minors []string
	for _, name := range found {
		minors = append(minors, strings.TrimSuffix(strings.TrimPrefix(path.Base(name), "v"), ".mod"))
	}
	slices.Sort(minors)
	return minors, nil
}

// CheckMinor returns an error with the known minors if minor is none of them.
func CheckMinor(minor string) error {
	minors, err := Minors()
	if err != nil {
		return err
	}
	if !slices.Contains(minors, minor) {
		return fmt.Errorf("unknown Kubernetes version %q: known are %s; a new one is a file vX.Y.mod in clusters/nodeimage/modules/kubernetes",
			minor, strings.Join(minors, ", "))
	}
	return nil
}

// required returns the version of a module that the component requires.
func (c component) required(module string) (string, error) {
	content, err := c.file(".mod")
	if err != nil {
		return "", err
	}
	return required(c.module+".mod", content, module)
}

// required returns the version of a module that a go.mod requires.
func required(name string, content []byte, module string) (string, error) {
	file, err := modfile.ParseLax(name, content, nil)
	if err != nil {
		return "", fmt.Errorf("reading a component's versions: %w", err)
	}
	for _, require := range file.Require {
		if require.Mod.Path == module {
			return require.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", name, module)
}
