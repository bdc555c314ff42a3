// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

// knownRows are what docs/proof-cluster.md says of trials, to which a run adds.
type knownRows struct {
	all  []trial
	rows map[string]proof.Driver
}

// data is the file beside the document that says the same as YAML.
func (o *options) data() string {
	return strings.TrimSuffix(o.Path, filepath.Ext(o.Path)) + ".yaml"
}

// keepRows are the rows of the document that the run adds to: of trials that are as they were; none without --update.
func (o *options) keepRows() (*knownRows, error) {
	k := &knownRows{all: o.trials(), rows: map[string]proof.Driver{}}
	if !o.Update {
		return k, nil
	}
	earlier, err := proof.ReadFile(o.data())
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	for _, d := range earlier.Drivers {
		if slices.ContainsFunc(k.all, func(t trial) bool { return t.shows(d) }) {
			k.rows[d.ID] = d
		}
	}
	return k, nil
}

// shows reports whether the row is what a run of the trial showed, as it is today, and of all that it has to show.
func (t trial) shows(d proof.Driver) bool {
	if d.ID != t.id || d.Text != t.text || d.Clause != strings.Join(t.clauses, " ") || d.Error != "" || t.met() != (d.Kubernetes != nil) {
		return false
	}
	return t.right || !slices.ContainsFunc(t.cases, func(id string) bool { return !slices.Contains(d.By, id) })
}

// lacks reports whether there is no row of the trial.
func (k *knownRows) lacks(t trial) bool {
	_, found := k.rows[t.id]
	return !found
}

// with is the proof of the rows that were kept and of those that the run has added. It says which trials it lacks if the
// rows are those of a document.
func (o *options) with(k *knownRows, added []proof.Driver) *proof.Proof {
	shown := &proof.Proof{Tier: proof.Cluster}
	if o.suite == "" {
		shown.Kubernetes = leftOut
	}
	for _, d := range added {
		k.rows[d.ID] = d
	}
	for _, t := range k.all {
		d, found := k.rows[t.id]
		switch {
		case found:
			shown.Drivers = append(shown.Drivers, d)
		case o.Update:
			shown.Untried = append(shown.Untried, t.id)
		}
	}
	shown.Sort()
	return shown
}

// write writes the report, and where that was asked for the document and its data.
func (o *options) write(shown *proof.Proof) error {
	if err := o.Document.Write(shown); err != nil || !o.Update {
		return err
	}
	return shown.WriteFile(o.data())
}

// checked holds the document against what the run showed of the trials that it has a row of.
func (o *options) checked(shown *proof.Proof) error {
	if !o.Check {
		return nil
	}
	written, err := proof.ReadFile(o.data())
	if err != nil {
		return fmt.Errorf("reading what the document to check says: %w", err)
	}
	said := *shown
	said.Untried = written.Untried
	said.Drivers = slices.DeleteFunc(slices.Clone(shown.Drivers), func(d proof.Driver) bool { return slices.Contains(written.Untried, d.ID) })
	return o.Compare(&said)
}
