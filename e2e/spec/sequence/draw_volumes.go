// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// createNew creates a volume under a new name. If that fills a segment, it creates another one there.
func (d *drawing) createNew() Step {
	step := d.create(d.newName())
	if d.shape.Segments > 0 && step.Size == Fitting {
		d.created++
		next := Step{Move: Create, Name: d.newName(), X: slices.Min(d.shape.Kinds), Requisite: []int{step.Segment}, Segment: step.Segment}
		d.next = append(d.next, next)
	}
	return step
}

func (d *drawing) newName() int {
	d.names++
	d.live = append(d.live, d.names)
	return d.names
}

// createGone creates a new volume under the name of one that was deleted.
func (d *drawing) createGone() Step {
	at := d.random.IntN(len(d.gone))
	name := d.gone[at]
	d.gone = slices.Delete(d.gone, at, at+1)
	d.live = append(d.live, name)
	return d.create(name)
}

// createOther sends a different request under a name that a volume has, or that was refused.
func (d *drawing) createOther() Step {
	step := d.create(d.pick(d.live))
	d.created--
	if d.shape.Clones && d.oneIn(2) {
		step.Source = d.pick(d.live)
	}
	return step
}

func (d *drawing) create(name int) Step {
	d.created++
	use := d.use()
	if use.ofSeveral() {
		d.several = append(d.several, name)
	}
	step := Step{Move: Create, Name: name, X: d.pick(d.shape.Kinds), Size: d.size(Double), Limit: d.limit(), Use: use, Segment: d.random.IntN(d.shape.places())}
	if d.shape.Segments == 0 {
		return step
	}
	step.Requisite, step.Preferred = d.requirement()
	if wanted := slices.Concat(step.Preferred, step.Requisite); len(wanted) > 0 {
		step.Segment = wanted[0] // usually where the volume is, which the size may then fill
	}
	return step
}

// requirement returns one of the shapes of a requirement: none, requisite, preferred, or both, where preferred is all
// of requisite beginning with another one, as Kubernetes sends it, or some of it in any order.
func (d *drawing) requirement() (requisite, preferred []int) {
	// Long lists are drawn more often, because more can go wrong with them.
	length := 1 + max(d.random.IntN(d.shape.Segments), d.random.IntN(d.shape.Segments)*d.random.IntN(2))
	some := d.random.Perm(d.shape.Segments)[:length]
	switch d.random.IntN(8) {
	case 0:
		return nil, nil
	case 1:
		return some, nil
	case 2, 3:
		return nil, some
	case 4, 5:
		from := d.random.IntN(length)
		return some, slices.Concat(some[from:], some[:from])
	default:
		for _, i := range d.random.Perm(len(some))[:1+d.random.IntN(len(some))] {
			preferred = append(preferred, some[i])
		}
		return some, preferred
	}
}

// clone copies a volume, usually one that is not deleted.
func (d *drawing) clone() Step {
	return d.cloneOf(d.anyName())
}

func (d *drawing) cloneOf(source int) Step {
	step := d.createCopy()
	step.Source = source
	return step
}

// restore copies a snapshot, usually one that is not deleted.
func (d *drawing) restore() Step {
	const mostly = 8
	snapshot := d.pick(d.kept)
	if len(d.dropped) > 0 && d.oneIn(mostly) {
		snapshot = d.pick(d.dropped)
	}
	return d.restoreOf(snapshot)
}

func (d *drawing) restoreOf(snapshot int) Step {
	step := d.createCopy()
	step.Snapshot = snapshot
	return step
}

// createCopy draws the common part of copies of volumes and of snapshots: the size, and whether the copy must be where its
// source is.
func (d *drawing) createCopy() Step {
	d.created++
	step := Step{Move: Create, Name: d.newName(), X: 1}
	if larger := 4; d.oneIn(larger) {
		step.Size = Double
	}
	if d.shape.Segments > 0 && d.random.IntN(2) == 0 {
		step.Requisite = []int{0}
	}
	return step
}

func (d *drawing) again() Step {
	return Step{Move: Again, Name: d.anyName()}
}

// deleteLive deletes a volume, or takes it from a node: a volume on a node is not deleted.
func (d *drawing) deleteLive() Step {
	name := d.pick(d.live)
	if mounted := slices.IndexFunc(d.mounted, func(s Step) bool { return s.Name == name }); mounted >= 0 {
		return d.unmountAt(mounted)
	}
	published := slices.IndexFunc(d.published, func(s Step) bool { return s.Name == name })
	switch {
	case published >= 0 && !d.oneIn(4):
		return d.takeBack(published)
	case published < 0:
		d.forget(name)
	}
	return Step{Move: Delete, Name: name}
}

// forget records that a volume is deleted. Its snapshots are not.
func (d *drawing) forget(name int) {
	if ofIt := func(number int) bool { return d.snapped[number] == name }; d.shape.ListSnapshots && slices.ContainsFunc(d.kept, ofIt) {
		d.next = append(d.next, Step{Move: ListSnapshots})
	}
	d.live = slices.DeleteFunc(d.live, func(n int) bool { return n == name })
	d.gone = append(d.gone, name)
}

func (d *drawing) deleteGone() Step {
	return Step{Move: Delete, Name: d.pick(d.gone)}
}

// lookAtGone reads a volume that was deleted.
func (d *drawing) lookAtGone() Step {
	step := Step{Move: Validate, Name: d.pick(d.gone)}
	if d.shape.Get && d.oneIn(2) {
		step.Move = Get
	}
	return step
}

func (d *drawing) grow() Step {
	size := d.size(Double, Present)
	if size == Fitting && !d.oneIn(4) {
		size = TooLarge // a volume that takes all the room leaves none for others
	}
	return Step{Move: Grow, Name: d.anyName(), Size: size, Limit: d.limit()}
}

// size draws one of the sizes that every move has, or of the others.
func (d *drawing) size(others ...Size) Size {
	sizes := slices.Concat([]Size{Unit, Unit, Unit, Unit, Unit}, others)
	if d.shape.Room {
		sizes = append(sizes, Fitting, TooLarge)
	}
	return sizes[d.random.IntN(len(sizes))]
}

func (d *drawing) limit() Limit {
	const mostly = 3
	if !d.oneIn(mostly) {
		return NoLimit
	}
	return Loose + Limit(d.random.IntN(int(LimitOnly)))
}

// use returns Plain in most cases.
func (d *drawing) use() Use {
	const mostly = 4
	if len(d.shape.Uses) == 0 || !d.oneIn(mostly) {
		return Plain
	}
	return d.shape.Uses[d.random.IntN(len(d.shape.Uses))]
}

// snapshot takes a snapshot under a new name, or under the name of an existing snapshot: of the same volume, or of any.
func (d *drawing) snapshot() Step {
	if len(d.kept) == 0 || d.oneIn(2) {
		return d.snapshotOf(d.anyName())
	}
	step := Step{Move: Snapshot, Name: d.anyName(), Snapshot: d.pick(d.kept)}
	if d.oneIn(2) {
		step.Name = d.snapped[step.Snapshot]
	}
	return step
}

func (d *drawing) snapshotOf(name int) Step {
	d.snapshots++
	d.kept = append(d.kept, d.snapshots)
	d.snapped[d.snapshots] = name
	return Step{Move: Snapshot, Name: name, Snapshot: d.snapshots}
}

func (d *drawing) deleteKept() Step {
	at := d.random.IntN(len(d.kept))
	number := d.kept[at]
	d.kept = slices.Delete(d.kept, at, at+1)
	d.dropped = append(d.dropped, number)
	return Step{Move: DeleteSnapshot, Snapshot: number}
}

func (d *drawing) listSnapshots() Step {
	step := Step{Move: ListSnapshots}
	switch known := slices.Concat(d.kept, d.dropped); d.random.IntN(3) {
	case 0:
		step.Name = d.anyName()
	case 1:
		if len(known) > 0 {
			step.Snapshot = d.pick(known)
		}
	}
	return step
}
