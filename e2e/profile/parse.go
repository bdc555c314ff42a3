// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sort"

	"go.yaml.in/yaml/v3"
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

// mostBytes limits a profile to the size of a ConfigMap.
const mostBytes = 1 << 20

// Parse reads a profile; errors refer to it by the name. An error has a line for each mistake, up to a hundred:
// name:line:column: the found and the wanted value. The error of a file that is not YAML has no column.
func Parse(name string, data []byte) (Profile, error) {
	if len(data) > mostBytes {
		return Profile{}, fmt.Errorf("%s has %d bytes: want a profile of at most %d", name, len(data), mostBytes)
	}
	written, err := documents(data)
	switch {
	case err != nil:
		return Profile{}, misread(name, data, err)
	case len(written) == 0:
		return Profile{}, fmt.Errorf("%s is empty: want a profile, with driver and volumeBytes at least", name)
	case len(written) > 1:
		return Profile{}, fmt.Errorf("%s:%s: %s", name, place(written[1]), second)
	}
	var p Profile
	root := written[0].Content[0]
	d := decoding{name: name}
	d.value("the profile", root, reflect.ValueOf(&p).Elem())
	if len(d.problems) == 0 {
		for _, found := range p.validate() {
			d.problems = append(d.problems, fmt.Errorf("%s:%s: %s", name, position(root, found.path), found.text))
		}
	}
	const most = 100
	if more := len(d.problems) - most; more > 0 {
		d.problems = append(d.problems[:most], fmt.Errorf("%s has %d more mistakes", name, more))
	}
	return p, errors.Join(d.problems...)
}

// documents returns the documents in the file that are not empty.
func documents(data []byte) ([]*yaml.Node, error) {
	var written []*yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return written, nil
		case err != nil:
			return nil, err
		}
		if root := document.Content[0]; root.Value != "" || root.Tag != "!!null" {
			written = append(written, &document)
		}
	}
}

// second is the mistake of a file with more than one document.
const second = "a second document begins here: want one profile per file, without a line of ---"

// misread returns the YAML library's error with its line: the first one that, as the last line of the file, leads to
// the same error. The library names no column, and often the line where the enclosing mapping begins.
func misread(name string, data []byte, err error) error {
	lines := bytes.SplitAfter(data, []byte("\n"))
	at := sort.Search(len(lines)-1, func(last int) bool {
		_, found := documents(bytes.Join(lines[:last+1], nil))
		return found != nil && found.Error() == err.Error()
	})
	indentation := lines[at][:len(lines[at])-len(bytes.TrimLeft(lines[at], " \t-"))]
	if tab := bytes.IndexByte(indentation, '\t'); tab >= 0 {
		return fmt.Errorf("%s:%d:%d: there is a tab: YAML is indented with spaces", name, at+1, tab+1)
	}
	text := regexp.MustCompile(`^yaml: (line \d+: )?`).ReplaceAllString(err.Error(), "")
	if text == "did not find expected <document start>" {
		text = second
	}
	return fmt.Errorf("%s:%d: %s", name, at+1, text)
}

// Place returns the position, name:line:column, of a path of keys and indexes in the profile that Load reads by that name,
// or of the nearest enclosing part that exists.
func Place(nameOrFile string, at ...any) string {
	data, err := Text(nameOrFile)
	if err != nil {
		return nameOrFile
	}
	written, err := documents(data)
	if err != nil || len(written) == 0 {
		return nameOrFile
	}
	return nameOrFile + ":" + position(written[0].Content[0], at)
}

// position returns the line and column of the path, or of the nearest enclosing part that exists.
func position(node *yaml.Node, at []any) string {
	found := "1:1"
	for _, step := range at {
		content := target(node).Content
		index, isIndex := step.(int)
		if !isIndex {
			index = 2*slices.IndexFunc(slices.Collect(slices.Chunk(content, 2)), func(pair []*yaml.Node) bool { return pair[0].Value == step }) + 1
		}
		if index < 0 || index >= len(content) {
			break
		}
		node = content[index]
		found = place(node)
	}
	return found
}
