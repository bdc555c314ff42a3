// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"math"
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
				ID: m.ID, Text: m.Text, Tier: proof.Spec, Origin: cmp.Or(m.Origin, proof.Ours), Clause: strings.Join(m.Clauses(), " "),
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
			found := proof.FoundBy(slices.DeleteFunc(s.said.Failed, func(name string) bool { return slices.Contains(baseline, name) }))
			d.CSISanity = &found
		}
	}
	shown := &proof.Proof{Tier: proof.Spec, Kubernetes: needsCluster, Reference: proof.FoundBy(baseline)}
	for _, d := range drivers {
		shown.Drivers = append(shown.Drivers, *d)
	}
	shown.Sort()
	return shown, nil
}
