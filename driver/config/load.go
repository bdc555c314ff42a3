// SPDX-License-Identifier: Apache-2.0

package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Load reads the file. An error names the file and, for each thing that is wrong
// with it, the line and what was wanted; it never quotes a secret.
func Load(path string) (Configuration, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Configuration{}, fmt.Errorf("reading the configuration: %w", err)
	}
	c, problems := parse(data)
	if len(problems) > 0 {
		return Configuration{}, fmt.Errorf("configuration %s: %s", path, strings.Join(problems, "; "))
	}
	return c, nil
}

// parse returns what the file says, or all that is wrong with it.
func parse(data []byte) (Configuration, []string) {
	file, root, problems := decode(data)
	if len(problems) > 0 {
		return Configuration{}, problems
	}
	if file.APIVersion != APIVersion {
		problems = append(problems, at(lineOf(child(root, "apiVersion"), root), "apiVersion is %q: want %s", file.APIVersion, APIVersion))
	}
	if file.Kind != Kind {
		problems = append(problems, at(lineOf(child(root, "kind"), root), "kind is %q: want %s", file.Kind, Kind))
	}
	capacity, wrong := capacityOf(file.Pools, child(root, "pools"))
	problems = append(problems, wrong...)
	return Configuration{Capacity: capacity, Secrets: file.Secrets}, problems
}

// decode returns what the file says and, for the lines, how it says it; or what
// is wrong with its form.
func decode(data []byte) (File, *yaml.Node, []string) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var file File
	if err := decoder.Decode(&file); err != nil {
		return File{}, nil, problemsOf(err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return File{}, nil, []string{at(second.Line, "want a single document, and this begins another")}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return File{}, nil, problemsOf(err)
	}
	return file, document.Content[0], nil
}

// problemsOf says in the terms of the file what the decoder says in those of Go.
func problemsOf(err error) []string {
	var mistyped *yaml.TypeError
	switch {
	case errors.Is(err, io.EOF):
		return []string{at(1, "there is nothing: want apiVersion, kind and pools")}
	case strings.Contains(err.Error(), "unknown anchor"):
		// The decoder names the anchor, which may well be a secret that begins with *.
		return []string{"a value that begins with * refers to nothing: want it in quotation marks"}
	case !errors.As(err, &mistyped):
		return []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	wanted := strings.NewReplacer(
		" not found in type config.File", " is unknown: want apiVersion, kind, pools or secrets",
		" not found in type config.Pool", " is unknown: want class, segment or capacity",
	)
	var problems []string
	for _, problem := range mistyped.Errors {
		problems = append(problems, wanted.Replace(problem))
	}
	return problems
}
