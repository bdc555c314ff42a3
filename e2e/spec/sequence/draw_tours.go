// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// toured is the number of steps between two tours.
const toured = 50

// tour draws steps that lead into a situation that separately drawn steps seldom meet. Each situation has its turn once.
func (d *drawing) tour() []Step {
	tours := []struct {
		possible bool
		draw     func() []Step
	}{
		{d.shape.Clones || d.shape.Snapshots, d.copyOfCopy},
		{d.shape.Nodes > 0, func() []Step { return d.useNew(Plain) }},
		{d.shape.Snapshots, d.snapshotAndDelete},
		{d.shape.Attach && d.shape.Nodes > 1 && slices.Contains(d.shape.Uses, Shared), d.publishToTwo},
		{d.shape.usesDevices() && d.shape.Nodes > 0, func() []Step { return d.useNew(Device) }},
	}
	for d.tours < len(tours) {
		d.tours++
		if next := tours[d.tours-1]; next.possible {
			return next.draw()
		}
	}
	return nil
}

// createFor creates a small volume for the use.
func (d *drawing) createFor(use Use) Step {
	d.created++
	return Step{Move: Create, Name: d.newName(), X: slices.Min(d.shape.Kinds), Use: use}
}

// copyOfCopy copies a volume and the copy, and publishes the second copy on a node.
func (d *drawing) copyOfCopy() []Step {
	first := d.createFor(Plain)
	second := d.copyOf(first.Name)
	third := d.copyOf(second[len(second)-1].Name)
	steps := slices.Concat(d.clear(), []Step{first}, second, third)
	again := steps[len(steps)-1] // the name of the second copy has another source by now
	again.Source, again.Snapshot = first.Name, 0
	if d.shape.Clones {
		steps = append(steps, again)
	}
	if d.shape.Nodes > 0 {
		steps = append(steps, d.mountOf(again.Name, 0)...)
	}
	return steps
}

// snapshotAndDelete takes a snapshot, asks for one of another volume under its name, restores it, deletes it and its
// volume, and asks for both again.
func (d *drawing) snapshotAndDelete() []Step {
	create, other := d.createFor(Plain), d.createFor(Plain)
	take := d.snapshotOf(create.Name)
	same, remove := take, Step{Move: DeleteSnapshot, Snapshot: take.Snapshot}
	same.Name = other.Name
	restore := d.restoreOf(take.Snapshot)
	steps := []Step{create, other, take, same, take, restore, {Move: Again, Name: restore.Name}, remove, remove}
	d.kept, d.dropped = d.kept[:len(d.kept)-1], append(d.dropped, take.Snapshot)
	steps = append(steps, d.restoreOf(take.Snapshot), Step{Move: Delete, Name: create.Name}, Step{Move: Validate, Name: create.Name})
	d.forget(create.Name)
	return steps
}

// copyOf copies the volume, by a snapshot if the driver does not clone.
func (d *drawing) copyOf(name int) []Step {
	if d.shape.Clones {
		return []Step{d.cloneOf(name)}
	}
	snapshot := d.snapshotOf(name)
	return []Step{snapshot, d.restoreOf(snapshot.Snapshot)}
}

// useNew publishes a new volume on a node, expands it there, publishes it again at its path, and takes it away twice.
func (d *drawing) useNew(use Use) []Step {
	steps, create := d.clear(), d.createFor(use)
	at := Step{Name: create.Name}
	steps = append(append(steps, create), d.mountOf(create.Name, 0)...)
	if d.shape.Grow {
		steps = append(steps, at.as(Grow))
		if d.shape.NodeGrow {
			steps = append(steps, at.as(NodeGrow))
		}
	}
	steps = append(steps, at.as(Unmount), at.as(Mount), at.as(Unmount), at.as(Unmount))
	if d.shape.Stage {
		steps = append(steps, at.as(Unstage), at.as(Unstage))
	}
	if d.shape.Attach {
		steps = append(steps, at.as(Unpublish))
	}
	d.mounted = nil
	return steps
}

// clear unpublishes everything from the nodes, because a plan has only a few volumes on each.
func (d *drawing) clear() []Step {
	var steps []Step
	for len(d.mounted) > 0 {
		steps = append(append(steps, d.unmountAt(0)), d.next...)
		d.next = nil
	}
	for len(d.published) > 0 {
		steps = append(steps, d.takeBack(0))
	}
	return steps
}

// publishToTwo publishes a volume to two nodes, asks for its deletion, and unpublishes it from the first.
func (d *drawing) publishToTwo() []Step {
	steps, create := d.clear(), d.createFor(Shared)
	create.X = slices.Max(d.shape.Kinds) // nodes of two segments may reach it
	d.several = append(d.several, create.Name)
	at := Step{Name: create.Name}
	other := Step{Name: create.Name, Node: 1}
	d.published = append(d.published, other.as(Publish))
	steps = append(steps, create, at.as(Publish), other.as(Publish), at.as(Delete), at.as(Unpublish), at.as(Unpublish))
	if d.shape.Get {
		steps = append(steps, at.as(Get))
	}
	return append(steps, other.as(Publish))
}
