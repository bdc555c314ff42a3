// SPDX-License-Identifier: Apache-2.0

// Package catalogue has all drivers that test the suite: faulty drivers, each with the cases and clauses that must catch
// it, and correct ones.
package catalogue

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/attach"
	"github.com/csi-topo/csi-topo/e2e/mutation/capacity"
	"github.com/csi-topo/csi-topo/e2e/mutation/general"
	"github.com/csi-topo/csi-topo/e2e/mutation/groupsnapshot"
	"github.com/csi-topo/csi-topo/e2e/mutation/growth"
	"github.com/csi-topo/csi-topo/e2e/mutation/identity"
	"github.com/csi-topo/csi-topo/e2e/mutation/listing"
	"github.com/csi-topo/csi-topo/e2e/mutation/metadata"
	"github.com/csi-topo/csi-topo/e2e/mutation/node"
	"github.com/csi-topo/csi-topo/e2e/mutation/placement"
	"github.com/csi-topo/csi-topo/e2e/mutation/reported"
	"github.com/csi-topo/csi-topo/e2e/mutation/restart"
	"github.com/csi-topo/csi-topo/e2e/mutation/right"
	"github.com/csi-topo/csi-topo/e2e/mutation/secrets"
	"github.com/csi-topo/csi-topo/e2e/mutation/sequence"
	"github.com/csi-topo/csi-topo/e2e/mutation/source"
	"github.com/csi-topo/csi-topo/e2e/mutation/together"
	"github.com/csi-topo/csi-topo/e2e/mutation/volume"
	"github.com/csi-topo/csi-topo/e2e/mutation/whole"
)

// parts returns the drivers of each part of the specification, as used by the tests of its cases.
func parts() map[string]func() map[string]mutation.Expectation {
	return map[string]func() map[string]mutation.Expectation{
		"attach":      attach.Drivers,
		"capacity":    capacity.Drivers,
		"conditional": sequence.Conditional,
		"general":     general.Drivers,
		"generated":   sequence.Drivers,
		"group":       groupsnapshot.Drivers,
		"growth":      growth.Drivers,
		"identity":    identity.Drivers,
		"listing":     listing.Drivers,
		"metadata":    metadata.Drivers,
		"node":        node.Drivers,
		"placement":   placement.Drivers,
		"reported":    reported.Drivers,
		"restart":     restart.Drivers,
		"secrets":     secrets.Drivers,
		"source":      source.Drivers,
		"together":    together.Drivers,
		"volume":      volume.Drivers,
		"whole":       whole.Drivers,
	}
}

// All returns the drivers of the catalogue, in the order of their ids, with separate state.
func All() []mutation.Mutant {
	all := rightOnes()
	for part := range parts() {
		all = append(all, wrongOnes(part)...)
	}
	slices.SortFunc(all, func(a, b mutation.Mutant) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// wrongOnes returns the faulty drivers of a part of the specification, or none if there is no such part.
func wrongOnes(part string) []mutation.Mutant {
	drivers, found := parts()[part]
	if !found {
		return nil
	}
	var all []mutation.Mutant
	for text, expectation := range drivers() {
		kind := expectation.Kind()
		if kind == "" {
			continue
		}
		all = append(all, mutation.Mutant{ID: idOf(part, text), Text: text, Kind: kind, Expectation: expectation})
	}
	return all
}

// conformant is the part in the ids of correct drivers.
const conformant = "right"

func rightOnes() []mutation.Mutant {
	var all []mutation.Mutant
	for _, driver := range right.Drivers() {
		all = append(all, mutation.Mutant{
			ID: idOf(conformant, driver.Name), Text: driver.Is, Kind: mutation.Conformant, Long: driver.Long,
			Expectation: mutation.Expectation{Driver: driver.With(driver.Sets()[0])},
		})
	}
	return all
}

// other matches characters that are not allowed in ids.
var other = regexp.MustCompile(`[^a-z0-9]+`)

// idOf returns the id of a driver with this text.
func idOf(part, text string) string {
	text = strings.NewReplacer("<", " lt ", ">", " gt ", "=", " eq ").Replace(strings.ToLower(text))
	return part + "/" + strings.Trim(other.ReplaceAllString(text, "-"), "-")
}

// ByID returns the driver with the id, and whether it exists. It creates only the drivers of its part, because every
// process of a run calls it first.
func ByID(id string) (mutation.Mutant, bool) {
	part, _, _ := strings.Cut(id, "/")
	all := wrongOnes(part)
	if part == conformant {
		all = rightOnes()
	}
	i := slices.IndexFunc(all, func(m mutation.Mutant) bool { return m.ID == id })
	if i < 0 {
		return mutation.Mutant{}, false
	}
	return all[i], true
}
