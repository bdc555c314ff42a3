// SPDX-License-Identifier: Apache-2.0

// Package unchosen is what the spec tier said of mutants of the reference driver that a tool made and nobody chose: how
// that is judged, counted, explained and shown as a page. It knows no driver and runs nothing.
package unchosen

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/mutation/edit"
)

// FileName is that of the results in a report directory.
const FileName = "mutants.yaml"

// Outcome is what became of a mutant.
type Outcome string

const (
	// Killed says that a case failed, or warned, by a clause; where calls are not answered, that it is Confirmed.
	Killed Outcome = "killed"
	// Noticed says that a run ended otherwise than without a mutant, and no case says which clause is contradicted: a
	// case could not tell, the driver did not start, or that it does not answer is not Confirmed.
	Noticed Outcome = "noticed as an error"
	// Survived says that all cases that reach the mutant are content with it.
	Survived Outcome = "survived"
	// Unreached says that no case of any of the drivers reaches the statement.
	Unreached Outcome = "not reached"
)

// Mutant is a change of the driver, and what became of it.
type Mutant struct {
	edit.Edit `yaml:",inline"`
	Outcome   Outcome `yaml:"outcome"`
	// Driver is the variant that was run last: the one that was caught, or the last one that was not.
	Driver string `yaml:"driver,omitempty"`
	// By is the case that failed or warned by Clause, or what was noticed.
	By     string `yaml:"by,omitempty"`
	Clause string `yaml:"clause,omitempty"`
	// Ended says that the driver, in a process of its own, ended that process.
	Ended bool `yaml:"ended,omitempty"`
	// Cases is how many cases were run that reach the statement, of all variants.
	Cases int `yaml:"cases,omitempty"`
	// Needs and Why are what it takes to notice a mutant that was not killed, where that is known.
	Needs Need   `yaml:"needs,omitempty"`
	Why   string `yaml:"why,omitempty"`
}

// silent reports whether all that is known against a mutant that was killed is that it does not answer.
func (m Mutant) silent() bool { return m.Outcome == Killed && m.Clause == Unanswerable }

// Results are those of a run.
type Results struct {
	// All is how many mutants there are, of which the run has a sample by Seed if it has fewer.
	All  int   `yaml:"all"`
	Seed int64 `yaml:"seed"`
	// Focus is the expression that chose their files, if not all.
	Focus string `yaml:"focus,omitempty"`
	// Invalid is how many more do not compile.
	Invalid int      `yaml:"invalid"`
	Drivers []string `yaml:"drivers"`
	Mutants []Mutant `yaml:"mutants"`
}

// Sort puts the mutants in the order of the source.
func (r *Results) Sort() {
	slices.SortStableFunc(r.Mutants, func(a, b Mutant) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
}

// Write writes the results into the directory.
func (r *Results) Write(dir string) error {
	text, err := yaml.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding the mutants: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), text, 0o644); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("writing the mutants: %w", err)
	}
	return nil
}
