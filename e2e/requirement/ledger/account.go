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

// Account describes how a line or a statement is accounted for.
type Account struct {
	// Requirements are the ids of the rows of the register that cover it.
	Requirements []string `yaml:"requirements"`
	// Reason explains why nothing checks it, if no row covers it.
	Reason string `yaml:"reason"`
}

// check returns an error if the account is not valid.
func (a Account) check() error {
	if (len(a.Requirements) == 0) == (a.Reason == "") {
		return errors.New("want either requirements or a reason")
	}
	return requirement.Check(a.Requirements...)
}

// accounts is spec.yaml: the lines of the specification that are in no requirement's source.
type accounts struct {
	// Version is the version of the specification that the line numbers refer to.
	Version string  `yaml:"version"`
	Groups  []group `yaml:"accounts"`
}

// group is an account that several lines share.
type group struct {
	Account `yaml:",inline"`
	// Lines maps the number of each line to its beginning.
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

// Version returns the version of the specification of the ledger, such as v1.13.0.
func Version() (string, error) {
	read, err := recorded()
	return read.Version, err
}

// decode reads YAML; an unknown field is an error that names the line.
func decode(data []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("parsing YAML: %w", err)
	}
	return nil
}

// Standing describes how far cases verify a line or a statement.
type Standing string

const (
	// Verified means that each of the requirements has a case.
	Verified Standing = "verified by cases"
	// InPart means that some of the requirements have a case.
	InPart Standing = "in part"
	// Without means that there are requirements, and none has a case.
	Without Standing = "no case"
	// Unchecked means that there is a reason instead of requirements.
	Unchecked Standing = "not checked"
)

// Standing returns how far the cases verify the account.
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
