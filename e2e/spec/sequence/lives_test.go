// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"slices"
	"testing"
)

func TestLivesHaveEachPair(t *testing.T) {
	shape := fourZones
	shape.Restart, shape.Stats, shape.Pods = true, true, true
	rows, left := lives(shape)
	t.Logf("%d lives", len(rows))
	if len(left) != 1 { // volumes of three segments
		t.Errorf("left out: %q", left)
	}
	all := dimensions()
	for i := range all {
		for j := range i {
			for _, a := range all[i].values {
				for _, b := range all[j].values {
					l := make(life, len(all))
					l[i], l[j] = a.name, b.name
					if l.isNone() || a.had != nil && !a.had(shape) || b.had != nil && !b.had(shape) {
						continue
					}
					if !slices.ContainsFunc(rows, func(row life) bool { return row[i] == a.name && row[j] == b.name }) {
						t.Errorf("no life is %q and %q", a.name, b.name)
					}
				}
			}
		}
	}
}

// TestLivesAskForWhatThereIs checks that no plan uses a segment, a node or a call that drivers of the shape do not
// have.
func TestLivesAskForWhatThereIs(t *testing.T) {
	for name, shape := range map[string]Shape{
		"nothing besides volumes":  {Kinds: []int{1}},
		"copies without topology":  {Kinds: []int{1}, Snapshots: true, Clones: true},
		"topology without nodes":   {Kinds: []int{1, 2}, Segments: 4, Snapshots: true, Clones: true, Grow: true},
		"nodes without a topology": {Kinds: []int{1}, Nodes: 2, Attach: true, Stage: true, Grow: true},
	} {
		rows, _ := lives(shape)
		for i, l := range rows {
			for _, step := range planOf(i, l, shape) {
				switch {
				case shape.Segments == 0 && len(step.Requisite)+len(step.Preferred) > 0,
					shape.Nodes == 0 && (step.Move == Publish || step.Move == Stage || step.Move == Mount),
					!shape.Snapshots && step.Move == Snapshot,
					!shape.Grow && step.Move == Grow:
					t.Errorf("%s: life %d (%s) has %+v", name, i, l, step)
				}
			}
		}
	}
}

// TestLivesTakeFewSteps checks that the lives of the reference driver need no more calls than the embedded tier has
// time for, and that looks only look.
func TestLivesTakeFewSteps(t *testing.T) {
	const mostSteps, mostLooks = 5100, 9700
	shape := fourZones
	shape.Restart, shape.Stats, shape.Pods, shape.Get, shape.List, shape.GetSnapshot, shape.ListSnapshots = true, true, true, true, true, true, true
	rows, _ := lives(shape)
	steps, looks := 0, 0
	for i, l := range rows {
		for _, step := range watched(planOf(i, l, shape), shape) {
			switch {
			case !step.Look:
				steps++
			case slices.Contains([]Move{Get, Validate, GetSnapshot, ListSnapshots, Publish}, step.Move):
				looks++
			default:
				t.Errorf("life %d (%s) has the look %+v", i, l, step)
			}
		}
	}
	if t.Logf("%d steps, %d looks", steps, looks); steps > mostSteps || looks > mostLooks {
		t.Errorf("%d lives have %d steps and %d looks, want at most %d and %d", len(rows), steps, looks, mostSteps, mostLooks)
	}
}

func TestEachCombinationIsOfOneCase(t *testing.T) {
	names, rows := Combinations()
	for _, row := range rows {
		if len(row.Values) != len(names) || slices.Contains(row.Values, "") {
			t.Errorf("%+v has not a value for each of %q", row, names)
		}
	}
	restart := func(row Combination) bool { return row.Case == "combinations_restarted" }
	if slices.IndexFunc(rows, restart) < 1 || slices.ContainsFunc(rows, func(row Combination) bool { return restart(row) == (row.Values[restarted] == neverRestarted) }) {
		t.Errorf("the restarts are not those of combinations_restarted: %+v", rows)
	}
}
