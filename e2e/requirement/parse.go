// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// file is one YAML file of the register: the rows of one area.
type file struct {
	Area         string        `yaml:"area"`
	Requirements []Requirement `yaml:"requirements"`
}

// parse reads one file of the register; an unknown field is an error that names the line.
func parse(data []byte) ([]Requirement, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var f file
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("parsing YAML: %w", err)
	}
	if f.Area == "" || len(f.Requirements) == 0 {
		return nil, errors.New("want an area and at least one requirement")
	}
	for i := range f.Requirements {
		f.Requirements[i].Area = f.Area
	}
	return f.Requirements, nil
}
