// SPDX-License-Identifier: Apache-2.0

// Package proof has the result of a run of the faulty and the correct drivers: it writes and counts the result, and formats
// it as a page. It depends on no driver and runs nothing.
package proof

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"
)

// The files of a proof in a report directory: FileName for programs, DocumentName and PageName for readers.
const (
	FileName     = "mutation.yaml"
	DocumentName = "mutation.md"
	PageName     = "mutation.html"
)

// The tiers that are proven.
const (
	Spec    = "spec"
	Cluster = "cluster"
)

// Ours is the origin of a driver that resembles no known real driver.
const Ours = "ours"

// Proof is the result of a run for every driver.
type Proof struct {
	// Tier is the tier that judged the drivers: Spec, in addition to csi-sanity, or Cluster, in addition to Kubernetes'
	// external-storage suite.
	Tier string `yaml:"tier"`
	// Kubernetes explains why Kubernetes' own suite was not run. It is empty if the suite was run.
	Kubernetes string `yaml:"kubernetes,omitempty"`
	// Reference is csi-sanity's result for the reference driver, which does not count for any other driver.
	Reference Found    `yaml:"reference"`
	Drivers   []Driver `yaml:"drivers"`
}

// Driver is the result for one driver. For a correct driver, Caught is a false alarm.
type Driver struct {
	ID    string `yaml:"id"`
	Text  string `yaml:"text"`
	Right bool   `yaml:"right"`
	// Warned says that the driver contradicts no MUST: cases must warn about it.
	Warned bool   `yaml:"warned"`
	Tier   string `yaml:"tier"`
	// Origin is Ours, or the real driver with the same behaviour.
	Origin string `yaml:"origin"`
	// Clause lists the clauses that the driver contradicts, space separated.
	Clause  string `yaml:"clause"`
	Found   `yaml:",inline"`
	Seconds float64 `yaml:"seconds"`
	// CSISanity is csi-sanity's result, and Kubernetes the result of the external-storage suite: nil if it was not run.
	CSISanity  *Found `yaml:"csiSanity,omitempty"`
	Kubernetes *Found `yaml:"kubernetes,omitempty"`
	// Said quotes the cases where the tier judged the driver wrongly: the cases that had to catch a faulty driver and did
	// not, and the cases that raised a false alarm.
	Said string `yaml:"said,omitempty"`
	// Unexpected describes the cases whose result differs from the expected one for this driver.
	Unexpected []string `yaml:"unexpected,omitempty"`
	// Error is the reason why the driver could not be judged.
	Error string `yaml:"error,omitempty"`
}

// Found is the finding of a suite: the names of its cases that report a fault.
type Found struct {
	Caught bool     `yaml:"caught"`
	By     []string `yaml:"by"`
}

// Other returns the finding of the other suite: csi-sanity, or Kubernetes' own; nil if it was not run.
func (d Driver) Other() *Found {
	if d.Tier == Cluster {
		return d.Kubernetes
	}
	return d.CSISanity
}

// FoundBy returns the finding of these cases.
func FoundBy(cases []string) Found { return Found{Caught: len(cases) > 0, By: cases} }

// Upstream reports whether a real driver behaves like this.
func (d Driver) Upstream() bool { return !d.Right && d.Origin != Ours }

// Sort puts the drivers that no case caught first, and correct drivers last.
func (p *Proof) Sort() {
	rank := func(d Driver) int {
		switch {
		case d.Right:
			return 3
		case d.Warned:
			return 2
		case d.Caught:
			return 1
		default:
			return 0
		}
	}
	slices.SortFunc(p.Drivers, func(a, b Driver) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID))
	})
}

// Write writes the proof into the directory.
func (p *Proof) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("making the directory of the proof: %w", err)
	}
	data, err := yaml.Marshal(p)
	if err != nil {
		return fmt.Errorf("encoding the proof: %w", err)
	}
	page, err := p.page()
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{FileName: data, DocumentName: []byte(p.Markdown()), PageName: page} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil { //nolint:gosec // a report is for everybody
			return fmt.Errorf("writing the proof: %w", err)
		}
	}
	return nil
}

// ReadFile reads a proof that Write has written.
func ReadFile(file string) (*Proof, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading a proof: %w", err)
	}
	p := &Proof{}
	if err := yaml.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("reading the proof %s: %w", file, err)
	}
	return p, nil
}
