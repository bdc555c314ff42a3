// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Need is what it takes to notice a mutant that the spec tier does not kill.
type Need string

// What may be needed. Over gRPC, a caller of the embedded driver can notice only what needs a case.
const (
	Nothing     Need = "nothing: equivalent"
	Right       Need = "nothing: the driver keeps the specification all the same"
	Message     Need = "a reader of messages and logs"
	Performance Need = "a measurement of time or memory"
	Internal    Need = "a broken invariant of the driver's own"
	Crash       Need = "a crash and a new start"
	Disk        Need = "a disk that fails or is full"
	Race        Need = "calls that meet at one moment"
	OtherKind   Need = "another kind of volume, or a real mount"
	Mode        Need = "another mode of the driver"
	Shutdown    Need = "the end of the process"
	Case        Need = "a case"
)

var needs = []Need{Nothing, Right, Message, Performance, Internal, Crash, Disk, Race, OtherKind, Mode, Shutdown, Case}

// Noticeable reports whether a caller can notice the mutant over gRPC, on the embedded driver.
func (n Need) Noticeable() bool { return n == "" || n == Case }

// Reason says of mutants that are not killed what they need.
type Reason struct {
	// File and Function are those of the mutants, and Changes what is changed there; all of the function when empty.
	File     string   `yaml:"file"`
	Function string   `yaml:"function"`
	Changes  []string `yaml:"changes"`
	Needs    Need     `yaml:"needs"`
	// Why is a sentence.
	Why string `yaml:"why"`
}

//go:embed reasons.yaml
var reasons []byte

// Reasons are those that have been given, reviewed and kept.
func Reasons() ([]Reason, error) {
	var given []Reason
	decoder := yaml.NewDecoder(bytes.NewReader(reasons))
	decoder.KnownFields(true)
	if err := decoder.Decode(&given); err != nil {
		return nil, fmt.Errorf("reading the reasons: %w", err)
	}
	var problems []error
	for _, r := range given {
		switch {
		case r.File == "" || r.Function == "" || r.Why == "":
			problems = append(problems, fmt.Errorf("the reason %+v wants a file, a function and why", r))
		case !slices.Contains(needs, r.Needs):
			problems = append(problems, fmt.Errorf("the reason of %s %s needs %q: want one of %q", r.File, r.Function, r.Needs, needs))
		}
	}
	return given, errors.Join(problems...)
}

// Explain gives the mutants that were not killed their reasons: those of a change before those of its function. It returns
// the reasons that are none of any mutant.
func (r *Results) Explain(given []Reason) (stale []Reason) {
	used := make([]bool, len(given))
	for i := range r.Mutants {
		m := &r.Mutants[i]
		for j, reason := range given {
			if !reason.of(*m) {
				continue
			}
			used[j] = true
			if m.Unexplained() && (m.Needs == "" || len(reason.Changes) > 0) {
				m.Needs, m.Why = reason.Needs, reason.Why
			}
		}
	}
	for j, reason := range given {
		if !used[j] {
			stale = append(stale, reason)
		}
	}
	return stale
}

// Unexplained reports whether the mutant is one that wants a reason: that was missed, and in which nobody saw anything.
func (m Mutant) Unexplained() bool { return m.Outcome == Survived || m.Outcome == Unreached }

func (r Reason) of(m Mutant) bool {
	return r.File == m.File && r.Function == m.Function && (len(r.Changes) == 0 || slices.Contains(r.Changes, m.Change))
}
