// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

// TestRowsAreKeptUntilWhatTheyShowChanges checks that an interrupted run is continued with the trials that have no row, or
// have changed since.
func TestRowsAreKeptUntilWhatTheyShowChanges(t *testing.T) {
	o := &options{suite: "suite", reportDir: t.TempDir(), missing: true}
	rows, err := o.keepRows()
	if err != nil {
		t.Fatal(err)
	}
	row := func(one trial) proof.Driver {
		d := proof.Driver{ID: one.id, Text: one.text, Right: one.right, Tier: proof.Cluster, Clause: strings.Join(one.clauses, " "), Found: proof.FoundBy(one.cases)}
		if one.met() {
			d.Kubernetes = &proof.Found{}
		}
		return d
	}
	all := o.trials()
	first := slices.IndexFunc(all, func(t trial) bool { return !t.right })
	stands, other, missed := row(all[first]), row(all[first+1]), row(all[first+2])
	other.Text = "something else"
	missed.By = missed.By[1:]
	shown := o.with(rows, []proof.Driver{stands, other, missed})
	if err := shown.Write(o.reportDir); err != nil {
		t.Fatal(err)
	}

	again, err := o.keepRows()
	if err != nil {
		t.Fatal(err)
	}
	tries, err := o.chosen(again)
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range all {
		if chosen := slices.ContainsFunc(tries, func(t trial) bool { return t.id == one.id }); chosen == (i == first) {
			t.Errorf("%s is tried again: %v, want it of all but %s", one.id, chosen, all[first].id)
		}
	}
}
