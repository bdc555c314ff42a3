// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"slices"
	"time"
)

// mostWatched limits how many volumes and snapshots are looked at, so that plans stay short.
const mostWatched = 3

// watching adds looks to a plan.
type watching struct {
	shape Shape
	// volumes and snapshots are the names that steps were about, the last first.
	volumes, snapshots []int
	turn               int
}

// watched returns the plan with looks after each step that changes something, at the volumes and snapshots that the
// steps before were about: a driver may change more than it was asked to, or keep an earlier answer.
func watched(plan []Step, shape Shape) []Step {
	w := &watching{shape: shape}
	var all []Step
	for _, step := range plan {
		all = append(all, step)
		for _, request := range slices.Concat([]Step{step}, step.Beside) {
			w.note(request)
		}
		for _, look := range w.looks(step.Move) {
			look.Look = true
			all = append(all, look)
		}
	}
	return all
}

// note records the names that the step is about.
func (w *watching) note(step Step) {
	if step.Name > 0 {
		w.volumes = withFirst(w.volumes, step.Name)
	}
	if step.Snapshot > 0 && step.Move == Snapshot {
		w.snapshots = withFirst(w.snapshots, step.Snapshot)
	}
}

// withFirst returns the names with one of them first, and without the oldest if there are too many.
func withFirst(names []int, name int) []int {
	others := slices.DeleteFunc(slices.Clone(names), func(other int) bool { return other == name })
	return append([]int{name}, others[:min(len(others), mostWatched-1)]...)
}

// looks returns the looks after a step. Publications that may be repeated are looks as well.
func (w *watching) looks(after Move) []Step {
	var all []Step
	switch after {
	case Publish, Unpublish:
		for _, name := range w.volumes[1:] {
			all = append(all, Step{Move: Publish, Name: name}, Step{Move: Publish, Name: name, Node: 1})
		}
		return all
	case Create, Delete, Grow, Restart:
		w.turn++
		all = w.atVolumes()
	case Snapshot, DeleteSnapshot:
		w.turn++
	default:
		return nil
	}
	if len(w.snapshots) > 0 {
		all = append(all, w.atSnapshots()...)
	}
	return all
}

// atVolumes looks at the volume of the step in both ways, and at each of the others in one of them, in turn.
func (w *watching) atVolumes() []Step {
	var all []Step
	for i, name := range w.volumes {
		both, gets := i == 0, (w.turn+i)%2 == 0
		if both || !gets || !w.shape.Get {
			all = append(all, Step{Move: Validate, Name: name})
		}
		if w.shape.Get && (both || gets) {
			all = append(all, Step{Move: Get, Name: name})
		}
	}
	return all
}

// atSnapshots looks at each snapshot, and at one of the lists, in pages of one entry or of the driver's choice.
func (w *watching) atSnapshots() []Step {
	var all []Step
	if w.shape.GetSnapshot {
		for _, name := range w.snapshots {
			all = append(all, Step{Move: GetSnapshot, Snapshot: name})
		}
	}
	if w.shape.ListSnapshots {
		ways := []Step{
			{Move: ListSnapshots, Name: w.volumes[0], Page: 1}, {Move: ListSnapshots}, {Move: ListSnapshots, Snapshot: w.snapshots[w.turn%len(w.snapshots)]},
			{Move: ListSnapshots, Page: 1}, {Move: ListSnapshots, Name: w.volumes[w.turn%len(w.volumes)]},
		}
		all = append(all, ways[w.turn%len(ways)])
	}
	return all
}

// looking measures how long looks take.
type looking struct {
	began time.Time
	took  time.Duration
}

// isDear reports whether looks take too much of the time that a slow driver needs for the other steps.
func (l looking) isDear() bool {
	const free, share = 10 * time.Second, 4
	return l.took > free && l.took > time.Since(l.began)/share
}
