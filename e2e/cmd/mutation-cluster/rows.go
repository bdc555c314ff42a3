// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

// knownRows holds the rows of an earlier run, to which this run adds.
type knownRows struct {
	all  []trial
	rows map[string]proof.Driver
}

// keepRows reads the rows of the report directory whose trials are unchanged; it returns none without --missing.
func (o *options) keepRows() (*knownRows, error) {
	k := &knownRows{all: o.trials(), rows: map[string]proof.Driver{}}
	if !o.missing {
		return k, nil
	}
	earlier, err := proof.ReadFile(filepath.Join(o.reportDir, proof.FileName))
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

// shows reports whether the row is the result of a run of the current trial, with all required results.
func (t trial) shows(d proof.Driver) bool {
	if d.ID != t.id || d.Text != t.text || d.Clause != strings.Join(t.clauses, " ") || d.Error != "" || t.met() != (d.Kubernetes != nil) {
		return false
	}
	if t.right {
		return !d.Caught
	}
	return !slices.ContainsFunc(t.cases, func(id string) bool { return !slices.Contains(d.By, id) })
}

// lacks reports whether there is no row of the trial.
func (k *knownRows) lacks(t trial) bool {
	_, found := k.rows[t.id]
	return !found
}

// with returns the proof with the rows that were kept and the rows that the run has added.
func (o *options) with(k *knownRows, added []proof.Driver) *proof.Proof {
	shown := &proof.Proof{Tier: proof.Cluster}
	if o.suite == "" {
		shown.Kubernetes = leftOut
	}
	for _, d := range added {
		k.rows[d.ID] = d
	}
	for _, t := range k.all {
		if d, found := k.rows[t.id]; found {
			shown.Drivers = append(shown.Drivers, d)
		}
	}
	shown.Sort()
	return shown
}
