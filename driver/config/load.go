// SPDX-License-Identifier: Apache-2.0

package config

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Load reads the file. An error names the file, each wrong field and the expected value; it never quotes a secret.
func Load(path string) (Configuration, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Configuration{}, fmt.Errorf("reading the configuration: %w", err)
	}
	c, err := parse(data)
	if err != nil {
		return Configuration{}, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, nil
}

// parse returns the configuration in the file, or all of its errors.
func parse(data []byte) (Configuration, error) {
	file, err := decode(data)
	if err != nil {
		return Configuration{}, err
	}
	var problems field.ErrorList
	if file.APIVersion != APIVersion {
		problems = append(problems, field.NotSupported(field.NewPath("apiVersion"), file.APIVersion, []string{APIVersion}))
	}
	if file.Kind != Kind {
		problems = append(problems, field.NotSupported(field.NewPath("kind"), file.Kind, []string{Kind}))
	}
	capacity, wrong := capacityOf(file.Pools, field.NewPath("pools"))
	problems = append(problems, wrong...)
	problems = append(problems, file.Secrets.check(field.NewPath("secrets"))...)
	return Configuration{Capacity: capacity, Secrets: file.Secrets}, problems.ToAggregate()
}

// decode decodes the file, which must be one document.
func decode(data []byte) (File, error) {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	first, err := documents.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return File{}, err
	}
	if _, err := documents.Read(); !errors.Is(err, io.EOF) {
		return File{}, errors.New("want a single document, and another one follows it")
	}
	var file File
	if err := yaml.UnmarshalStrict(first, &file); err != nil {
		// The decoder quotes values, which may be secret, in quotation marks of these kinds.
		if strings.ContainsAny(err.Error(), "`'") {
			return File{}, errors.New("a value has another type than its tag says, or refers to nothing: want it in quotation marks")
		}
		return File{}, fmt.Errorf("want apiVersion, kind, pools (class, segment, capacity) and secrets: %w", err)
	}
	return file, nil
}
