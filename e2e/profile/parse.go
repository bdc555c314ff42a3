// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// ReadFile reads the profile in a file.
func ReadFile(path string) (Profile, error) {
	data, err := text(path)
	if err != nil {
		return Profile{}, err
	}
	return Parse(path, data)
}

func text(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	return data, nil
}

// Parse reads a profile; name is how errors name it. Every error has a line for each thing that is wrong:
// name:line:column: what was found and what is wanted.
func Parse(name string, data []byte) (Profile, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return Profile{}, located(name, err)
	}
	written := slices.DeleteFunc(slices.Clone(file.Docs), func(d *ast.DocumentNode) bool { return d.Body == nil })
	if len(written) > 1 {
		return Profile{}, fmt.Errorf("%s:%s: a second document begins: want one profile in a file, without a line of --- between two", name, place(cmp.Or(written[1].Start, written[1].Body.GetToken())))
	}
	if len(written) == 0 {
		return Profile{}, fmt.Errorf("%s is empty: want a profile, with driver and volumeBytes at least", name)
	}
	p, problems := decode(name, written[0].Body)
	if len(problems) > 0 {
		return Profile{}, errors.Join(problems...)
	}
	for _, found := range p.validate() {
		problems = append(problems, fmt.Errorf("%s:%s: %s", name, position(file, found.path), found.text))
	}
	return p, errors.Join(problems...)
}

// located puts the place that the YAML library knows before its message.
func located(name string, err error) error {
	var placed yaml.Error
	if !errors.As(err, &placed) || placed.GetToken() == nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	message := placed.GetMessage()
	if strings.ContainsRune(message, '\t') || strings.Contains(message, "tab character") {
		message = "there is a tab: YAML is indented with spaces"
	}
	return fmt.Errorf("%s:%s: %s", name, place(placed.GetToken()), message)
}

func place(at *token.Token) string {
	return fmt.Sprintf("%d:%d", at.Position.Line, at.Position.Column)
}

// Place returns where something is in the profile that Load reads by that name, at a path of keys and indexes, or the
// nearest enclosing thing that exists: name:line:column.
func Place(nameOrFile string, at ...any) string {
	data, err := Text(nameOrFile)
	if err != nil {
		return nameOrFile
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nameOrFile
	}
	return nameOrFile + ":" + position(file, at)
}

// position returns the line and column of what is at the path, or of the nearest enclosing thing that exists.
func position(file *ast.File, at []any) string {
	for end := len(at); end > 0; end-- {
		path := (&yaml.PathBuilder{}).Root()
		for _, step := range at[:end] {
			switch step := step.(type) {
			case string:
				path = path.Child(step)
			case int:
				path = path.Index(uint(step))
			}
		}
		if node, err := path.Build().FilterFile(file); err == nil {
			return place(node.GetToken())
		}
	}
	return "1:1"
}
