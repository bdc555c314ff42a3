// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

// A run that was interrupted is continued: it tries what has no row, and what has changed since.
func TestRowsAreKeptUntilWhatTheyShowChanges(t *testing.T) {
	o := &options{suite: "suite"}
	o.Path, o.Update, o.missing = filepath.Join(t.TempDir(), "proof-cluster.md"), true, true
	o.ReportDir = t.TempDir()
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
	if err := o.write(shown); err != nil {
		t.Fatal(err)
	}
	if want := len(all) - 3; len(shown.Untried) != want {
		t.Errorf("want %d that were not tried, found %d", want, len(shown.Untried))
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

// A document that lacks rows is held against those that it has.
func TestADocumentThatLacksRowsIsChecked(t *testing.T) {
	o := &options{suite: "suite"}
	o.Path, o.Update, o.ReportDir = filepath.Join(t.TempDir(), "proof-cluster.md"), true, t.TempDir()
	all := o.trials()
	row := func(one trial) proof.Driver {
		return proof.Driver{ID: one.id, Text: one.text, Right: one.right, Tier: proof.Cluster, Found: proof.FoundBy(one.cases)}
	}
	one, another := row(all[1]), row(all[2])
	if err := o.write(o.with(&knownRows{all: all, rows: map[string]proof.Driver{}}, []proof.Driver{one})); err != nil {
		t.Fatal(err)
	}
	o.Update, o.Check = false, true
	of := func(drivers ...proof.Driver) *proof.Proof {
		return o.with(&knownRows{all: all, rows: map[string]proof.Driver{}}, drivers)
	}
	if err := o.checked(of(one, another)); err != nil {
		t.Errorf("a run says more than the document: %v", err)
	}
	one.Found = proof.FoundBy(nil)
	if err := o.checked(of(one, another)); err == nil || !strings.Contains(err.Error(), one.ID) {
		t.Errorf("a run says something else of %s than the document: want an error that names it, found %v", one.ID, err)
	}
}

// The document of the cluster tier has a row, or says that it has none, of each that is wrong, and of nothing else.
func TestTheDocumentOfTheClusterTier(t *testing.T) {
	o := &options{suite: "suite"}
	o.Path, o.Update = filepath.Join("..", "..", "..", "docs", "proof-cluster.md"), true
	shown, err := proof.ReadFile(o.data())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(o.Path)
	if err != nil {
		t.Fatal(err)
	}
	const correct = "; to correct: make mutation-cluster UPDATE=1 MISSING=1"
	if string(text) != shown.Markdown() {
		t.Errorf("%s and %s do not say the same%s", o.Path, o.data(), correct)
	}
	has := slices.Clone(shown.Untried)
	for _, d := range shown.Drivers {
		has = append(has, d.ID)
	}
	var want []string
	for _, one := range o.trials() {
		want = append(want, one.id)
	}
	slices.Sort(has)
	slices.Sort(want)
	if !slices.Equal(has, want) {
		t.Errorf("%s has %q, want %q%s", o.Path, has, want, correct)
	}
}
