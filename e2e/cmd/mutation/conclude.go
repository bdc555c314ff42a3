// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

// conclude is what all runs together show.
func conclude(all []*one) (*proof.Proof, error) {
	var baseline []string // what csi-sanity says of the reference driver
	drivers := map[string]*proof.Driver{}
	for _, s := range all {
		if s.mutant.ID == reference {
			if s.err != nil {
				return nil, fmt.Errorf("running csi-sanity against the reference driver: %w", s.err)
			}
			baseline = s.said.Failed
		}
	}
	for _, s := range all {
		m := s.mutant
		if m.ID == reference {
			continue
		}
		if drivers[m.ID] == nil {
			drivers[m.ID] = &proof.Driver{
				ID: m.ID, Text: m.Text, Tier: "spec", Origin: cmp.Or(m.Origin, proof.Ours), Clause: strings.Join(m.Clauses(), " "),
				Right: m.Kind == mutation.Conformant, Warned: m.Kind == mutation.WarnedOf,
			}
		}
		d := drivers[m.ID]
		switch {
		case s.err != nil:
			d.Error = strings.TrimSpace(d.Error + " " + s.suite + ": " + s.err.Error())
		case s.suite == bySpec:
			d.Found = proof.FoundBy(m.CaughtBy(s.said.Cases))
			d.Seconds = math.Round(s.said.Seconds*10) / 10
		default:
			d.CSISanity = proof.FoundBy(slices.DeleteFunc(s.said.Failed, func(name string) bool { return slices.Contains(baseline, name) }))
		}
	}
	shown := &proof.Proof{Kubernetes: needsCluster, Reference: proof.FoundBy(baseline)}
	for _, d := range drivers {
		shown.Drivers = append(shown.Drivers, *d)
	}
	shown.Sort()
	return shown, nil
}

// write writes the report, and the document where that was asked for.
func (o options) write(shown *proof.Proof) error {
	if err := shown.Write(o.reportDir); err != nil {
		return err
	}
	if !o.update {
		return nil
	}
	if err := os.WriteFile(o.document, []byte(shown.Markdown()), 0o644); err != nil { //nolint:gosec // a document is for everybody
		return fmt.Errorf("writing %s: %w", o.document, err)
	}
	return nil
}

// checked holds the document against what the run showed.
func (o options) checked(shown *proof.Proof) error {
	if !o.check {
		return nil
	}
	text, err := os.ReadFile(o.document)
	if err != nil {
		return fmt.Errorf("reading the document to check: %w", err)
	}
	if differences := shown.Differences(string(text)); len(differences) > 0 {
		return errors.New(o.document + " says something else than the run:\n" + strings.Join(differences, "\n") + "\nto correct: make mutation UPDATE=1, and look at what has changed")
	}
	return nil
}
