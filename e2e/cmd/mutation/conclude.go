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

// answer is the result of one suite for one driver; it is empty if its run failed.
type answer struct {
	said

	mutant mutation.Mutant
	of     *one
}

// answersIn returns the results of all runs for each of their drivers.
func answersIn(all []*one) []answer {
	var answers []answer
	for _, s := range all {
		for i, m := range s.mutants {
			a := answer{mutant: m, of: s}
			if s.err == nil {
				a.said = s.said[i]
			}
			answers = append(answers, a)
		}
	}
	return answers
}

// conclude returns the combined result of all runs. csi-sanity's result for a driver is an error if it did not run against
// the reference driver, the baseline.
func conclude(all []*one) *proof.Proof {
	var baseline []string // csi-sanity's result for the reference driver
	var incomparable error
	drivers := map[string]*proof.Driver{}
	answers := answersIn(all)
	for _, a := range answers {
		if a.mutant.ID == reference {
			if a.of.err != nil {
				incomparable = fmt.Errorf("running csi-sanity against the reference driver: %w", a.of.err)
			}
			baseline = a.Failed
		}
	}
	for _, a := range answers {
		m := a.mutant
		if m.ID == reference {
			continue
		}
		if drivers[m.ID] == nil {
			drivers[m.ID] = &proof.Driver{
				ID: m.ID, Text: m.Text, Tier: proof.Spec, Origin: cmp.Or(m.SeenIn, proof.Ours), Clause: strings.Join(m.Clauses(), " "),
				Right: m.Kind == mutation.Conformant, Warned: m.Kind == mutation.WarnedOf,
			}
		}
		d := drivers[m.ID]
		err := a.of.err
		if a.of.suite == bySanity {
			err = cmp.Or(err, incomparable)
		}
		switch {
		case err != nil:
			d.Error = strings.TrimSpace(d.Error + " " + a.of.suite + ": " + err.Error())
		case a.of.suite == bySpec:
			d.Found = proof.FoundBy(m.CaughtBy(a.Cases))
			d.Unexpected = m.Unexpected(a.Cases)
			d.Said = d.Quote(a.Cases)
			d.Seconds = math.Round(a.Seconds*10) / 10
		default:
			found := proof.FoundBy(slices.DeleteFunc(a.Failed, func(name string) bool { return slices.Contains(baseline, name) }))
			d.CSISanity = &found
		}
	}
	shown := &proof.Proof{Tier: proof.Spec, Kubernetes: needsCluster, Reference: proof.FoundBy(baseline)}
	for _, d := range drivers {
		shown.Drivers = append(shown.Drivers, *d)
	}
	shown.Sort()
	return shown
}
