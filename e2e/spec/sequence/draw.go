// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"math/rand/v2"
	"slices"
)

// Draw draws a plan with the given number of steps: the same for the same seed and shape. The number of volumes that it
// keeps goes up and down, so that some requests find every segment empty and others find hardly any room. It uses
// volumes more often than it creates them, because creating takes time.
func Draw(seed int64, steps int, shape Shape) []Step {
	const stream = 0x70706f74 // any constant: only the seed makes the difference
	d := &drawing{random: rand.New(rand.NewPCG(uint64(seed), stream)), shape: shape, snapped: map[int]int{}}
	plan := make([]Step, 0, steps)
	for range steps {
		plan = append(plan, d.step())
	}
	return plan
}

// few limits the number of snapshots and of volumes on nodes, because all of them have to be removed again.
const few = 3

// drawing holds what has been drawn so far.
type drawing struct {
	random *rand.Rand
	shape  Shape
	steps  int
	// created counts the steps that may create a volume.
	created int
	// names counts the requested names. live holds the names that are not deleted since, and gone the deleted ones.
	names      int
	live, gone []int
	// several holds names of volumes that several nodes may have.
	several []int
	// snapshots counts the names of snapshots. kept holds the names that are not deleted since, and dropped the deleted
	// ones.
	snapshots     int
	kept, dropped []int
	// snapped holds the volumes of the snapshots.
	snapped map[int]int
	// most is the current limit of live volumes.
	most int
	// published holds the steps that publish, and mounted the steps that mount.
	published, mounted []Step
	// next holds steps that follow from the last one, and tours counts the tours so far.
	next  []Step
	tours int
}

// choice is one of the steps to draw, with a probability in proportion to its weight.
type choice struct {
	weight int
	draw   func() Step
}

func (d *drawing) step() Step {
	d.steps++
	if len(d.next) == 0 && d.steps >= toured*(d.tours+1) {
		d.next = d.tour()
	}
	if len(d.next) > 0 {
		step := d.next[0]
		d.next = d.next[1:]
		return step
	}
	const tideSteps, least = 40, 3
	if d.oneIn(tideSteps) || d.most == 0 {
		d.most = least + d.random.IntN(2+d.shape.places())
	}
	if d.names == 0 {
		return d.createNew()
	}
	return d.choose(slices.Concat(d.ofVolumes(), d.ofNodes(), d.ofSnapshots()))
}

func (d *drawing) choose(from []choice) Step {
	total := 0
	for _, c := range from {
		total += c.weight
	}
	at := d.random.IntN(total)
	for _, c := range from {
		if at -= c.weight; at < 0 {
			return c.draw()
		}
	}
	return Step{}
}

// weight returns n if the choice is possible, and 0 otherwise.
func weight(possible bool, n int) int {
	if possible {
		return n
	}
	return 0
}

// mayCreate reports whether one more volume may be created: some at once, and then one in every seven steps.
func (d *drawing) mayCreate() bool {
	const atOnce, every = 8, 7
	return len(d.live) < d.most && d.created < atOnce+d.steps/every
}

func (d *drawing) ofVolumes() []choice {
	live, crowded := len(d.live) > 0, len(d.live) > d.most
	return []choice{
		{weight(d.mayCreate(), 50), d.createNew},
		{weight(d.mayCreate() && len(d.gone) > 0, 6), d.createGone},
		{weight(d.mayCreate() && live && d.shape.Clones, 8), d.clone},
		{weight(live, 6), d.createOther},
		{6, d.again},
		{weight(len(d.live) > 2, 4), d.deleteLive},
		{weight(crowded, 40), d.deleteLive},
		{weight(len(d.gone) > 0, 3), d.deleteGone},
		{weight(d.shape.Grow, 11), d.grow},
		{weight(d.shape.List, 3), func() Step { return Step{Move: List} }},
		{weight(d.shape.Get, 3), func() Step { return Step{Move: Get, Name: d.anyName()} }},
		{3, func() Step { return Step{Move: Validate, Name: d.anyName()} }},
		{weight(len(d.gone) > 0, 4), d.lookAtGone},
		{weight(live, 9), d.twice},
		{weight(len(d.live) > 1, 7), d.atOnce},
	}
}

func (d *drawing) ofNodes() []choice {
	attaches := d.shape.Attach && d.shape.Nodes > 0
	return []choice{
		{weight(attaches, 9), d.publish},
		{weight(attaches, 4), d.unpublish},
		{weight(attaches && len(d.published) > few, 40), func() Step { return d.takeBack(0) }},
		{weight(d.shape.Nodes > 0 && len(d.live) > 0, 6), d.mount},
		{weight(len(d.mounted) > 0, 4), d.unmount},
		{weight(len(d.mounted) > few, 40), func() Step { return d.unmountAt(0) }},
		{weight(len(d.mounted) > 0, 8), d.remount},
	}
}

func (d *drawing) ofSnapshots() []choice {
	if !d.shape.Snapshots {
		return nil
	}
	return []choice{
		{8, d.snapshot},
		{weight(d.mayCreate() && len(d.kept) > 0, 12), d.restore},
		{weight(len(d.kept) > 0, 5), d.deleteKept},
		{weight(len(d.kept) > few, 40), d.deleteKept},
		{weight(len(d.dropped) > 0, 4), func() Step { return Step{Move: DeleteSnapshot, Snapshot: d.pick(d.dropped)} }},
		{weight(d.shape.ListSnapshots, 8), d.listSnapshots},
	}
}

// twice makes the step send its request twice at the same time.
func (d *drawing) twice() Step {
	step := d.choose([]choice{
		{weight(d.mayCreate(), 3), d.createNew},
		{1, d.again},
		{1, d.deleteLive},
		{weight(d.shape.Grow, 1), d.grow},
		{weight(d.shape.Attach && d.shape.Nodes > 0, 2), d.publish},
		{weight(d.shape.Snapshots, 4), func() Step { return d.snapshotOf(d.pick(d.live)) }},
	})
	step.Twice = true
	return step
}

// atOnce makes the step send several requests at the same time, each for another volume.
func (d *drawing) atOnce() Step {
	const most = 3
	var steps []Step
	for _, i := range d.random.Perm(len(d.live)) {
		if len(steps) < most {
			steps = append(steps, d.ofOne(d.live[i]))
		}
	}
	if d.mayCreate() {
		steps = append(steps, d.createNew())
	}
	for _, step := range steps {
		if step.Move == Delete {
			d.forget(step.Name)
		}
	}
	step := steps[0]
	step.Beside = steps[1:]
	return step
}

// ofOne draws a request for the volume.
func (d *drawing) ofOne(name int) Step {
	return d.choose([]choice{
		{2, func() Step { return Step{Move: Validate, Name: name} }},
		{weight(!d.isPublished(name) && len(d.live) > 3, 1), func() Step { return Step{Move: Delete, Name: name} }},
		{weight(d.shape.Grow, 2), func() Step { return Step{Move: Grow, Name: name} }},
		{weight(d.shape.Attach && d.shape.Nodes > 0, 2), func() Step { return d.publishOf(name) }},
		{weight(d.shape.Snapshots, 2), func() Step { return d.snapshotOf(name) }},
	})
}

func (d *drawing) pick(from []int) int {
	return from[d.random.IntN(len(from))]
}

// oneIn returns true with a probability of one in n.
func (d *drawing) oneIn(times int) bool {
	return d.random.IntN(times) == 0
}

// anyName returns a name that is usually not deleted.
func (d *drawing) anyName() int {
	const mostly = 10
	if len(d.live) > 0 && (len(d.gone) == 0 || !d.oneIn(mostly)) {
		return d.pick(d.live)
	}
	return d.pick(d.gone)
}
