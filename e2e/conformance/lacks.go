// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	_ "embed" // lacks.yaml
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// Lack is something that a substitute for the real back end does not do.
type Lack struct {
	ID string `yaml:"id"`
	// Text describes it.
	Text string `yaml:"text"`
	// Requirements are the ids of the requirements whose failure the lack explains: none if the cases that need it are
	// skipped.
	Requirements []string `yaml:"requirements"`
}

//go:embed lacks.yaml
var lacksFile []byte

// lacks is read on first use; it never changes afterwards.
var lacks = sync.OnceValue(func() []Lack {
	all, err := parseLacks(lacksFile)
	if err != nil {
		panic(fmt.Sprintf("the embedded list of lacks is broken: %v", err))
	}
	return all
})

func parseLacks(data []byte) ([]Lack, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	var all []Lack
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("parsing lacks.yaml: %w", err)
	}
	seen := map[string]bool{}
	var problems []error
	for _, l := range all {
		if seen[l.ID] || l.ID == "" || l.Text == "" {
			problems = append(problems, fmt.Errorf("%q: want a unique id and a text", l.ID))
		}
		seen[l.ID] = true
		for _, id := range l.Requirements {
			if r, found := requirement.ByID(id); !found || r.Level != requirement.Must || r.Grades != requirement.Vendor {
				problems = append(problems, fmt.Errorf("%s: %s is not a MUST of the driver", l.ID, id))
			}
		}
	}
	return all, errors.Join(problems...)
}

// Lacks returns everything that a back end may lack.
func Lacks() []Lack { return slices.Clone(lacks()) }

// LacksOf returns everything that the back end lacks.
func LacksOf(b report.Backend) []Lack {
	return slices.DeleteFunc(Lacks(), func(l Lack) bool { return !slices.Contains(b.Lacks, l.ID) })
}

// Explains reports whether a lack of the back end explains the failure of the requirement.
func Explains(b report.Backend, id string) bool {
	return slices.ContainsFunc(LacksOf(b), func(l Lack) bool { return slices.Contains(l.Requirements, id) })
}

// Explained is the outcome of a profile whose only failures are explained by the back end. Reports do not have it, only a
// page that compares drivers.
const Explained report.Outcome = "explained"

// Explain returns the outcome of a profile without the failures that the back end explains, and the ids of the failed
// requirements that it explains.
func Explain(p report.Profile, b report.Backend) (outcome report.Outcome, explained []string) {
	for _, id := range p.Failed {
		if Explains(b, id) {
			explained = append(explained, id)
		}
	}
	if len(explained) > 0 && len(explained) == len(p.Failed) {
		return Explained, explained
	}
	return p.Outcome, explained
}

// CheckBackend returns an error if the back end has an unknown kind, has an unknown lack, or is the real one and has a
// lack.
func CheckBackend(b report.Backend) error {
	if b.Kind == "" && len(b.Lacks) > 0 {
		return errors.New("implementation.backend.kind is missing: want fake or directories, as the real back end lacks nothing")
	}
	if b.Kind != "" && b.Kind != "fake" && b.Kind != "directories" {
		return fmt.Errorf("implementation.backend.kind is %q: want fake or directories, or nothing for the real one", b.Kind)
	}
	var known []string
	for _, l := range lacks() {
		known = append(known, l.ID)
	}
	for _, id := range b.Lacks {
		if !slices.Contains(known, id) {
			return fmt.Errorf("implementation.backend.lacks has %q: want one of %s", id, strings.Join(known, ", "))
		}
	}
	return nil
}
