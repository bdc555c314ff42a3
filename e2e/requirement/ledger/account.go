// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"bytes"
	_ "embed" // the two files of the ledger
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// Account says how a line or a statement is accounted for.
type Account struct {
	// Requirements are the ids of the rows of the register that hold what it says.
	Requirements []string `yaml:"requirements"`
	// Reason is why nothing checks it, where no row holds it.
	Reason string `yaml:"reason"`
}

// check returns what is wrong with an account.
func (a Account) check() error {
	if (len(a.Requirements) == 0) == (a.Reason == "") {
		return errors.New("want either requirements or a reason")
	}
	return requirement.Check(a.Requirements...)
}

// accounts is spec.yaml: the lines of the specification that no requirement's source names.
type accounts struct {
	// Version is the version of the specification that the numbers of lines are of.
	Version string  `yaml:"version"`
	Groups  []group `yaml:"accounts"`
}

// group is an account that several lines share.
type group struct {
	Account `yaml:",inline"`
	// Lines has how each line begins, by its number.
	Lines map[int]string `yaml:"lines"`
}

//go:embed spec.yaml
var specFile []byte

// recorded reads spec.yaml.
func recorded() (accounts, error) {
	var read accounts
	if err := decode(specFile, &read); err != nil {
		return accounts{}, fmt.Errorf("%s: %w", specPath, err)
	}
	return read, nil
}

// Version is the version of the specification that the ledger is of, such as v1.13.0.
func Version() (string, error) {
	read, err := recorded()
	return read.Version, err
}

// decode reads YAML; a field that the value does not have is an error that names the line.
func decode(data []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("parsing YAML: %w", err)
	}
	return nil
}

// Standing is how far cases verify what is accounted for.
type Standing string

const (
	// Verified is what has cases for each of its requirements.
	Verified Standing = "verified by cases"
	// InPart is what has cases for some of its requirements.
	InPart Standing = "in part"
	// Without is what has requirements, none of which has a case.
	Without Standing = "no case"
	// Unchecked is what no requirement holds, for a reason.
	Unchecked Standing = "not checked"
)

// Standing returns how far these cases verify it.
func (a Account) Standing(cases requirement.Coverage) Standing {
	has := func(id string) bool { return len(cases[id]) > 0 }
	switch {
	case len(a.Requirements) == 0:
		return Unchecked
	case !slices.ContainsFunc(a.Requirements, has):
		return Without
	case slices.ContainsFunc(a.Requirements, func(id string) bool { return !has(id) }):
		return InPart
	default:
		return Verified
	}
}
