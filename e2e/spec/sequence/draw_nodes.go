// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

func (d *drawing) publish() Step {
	if len(d.several) > 0 && d.oneIn(3) {
		return d.publishOf(d.pick(d.several))
	}
	return d.publishOf(d.anyName())
}

func (d *drawing) publishOf(name int) Step {
	const seldom = 4
	step := Step{Move: Publish, Name: name, Node: d.node(), ReadOnly: d.shape.ReadOnly && d.oneIn(seldom)}
	if slices.Contains(d.live, step.Name) {
		d.published = append(d.published, step)
	}
	if d.shape.Nodes > 1 && slices.Contains(d.several, name) {
		d.next = append(d.next, Step{Move: Publish, Name: name, Node: (step.Node + 1) % d.shape.Nodes, ReadOnly: step.ReadOnly})
	}
	return step
}

// unpublish undoes a publication, or unpublishes the volume from another node, or any volume from any.
func (d *drawing) unpublish() Step {
	if len(d.published) == 0 || d.oneIn(6) {
		return Step{Move: Unpublish, Name: d.anyName(), Node: d.node()}
	}
	at := d.random.IntN(len(d.published))
	if d.random.IntN(2) == 0 {
		// ControllerGetVolume shows whether it is still published; without that call, a deletion does, which must fail then.
		name, other := d.published[at].Name, d.published[at].Node+1+d.random.IntN(d.shape.Nodes)
		tell := Get
		if !d.shape.Get {
			tell = Delete
		}
		d.next = append(d.next, Step{Move: tell, Name: name})
		return Step{Move: Unpublish, Name: name, Node: other % d.shape.Nodes}
	}
	return d.takeBack(at)
}

// node returns a node that usually reaches the volume.
func (d *drawing) node() int {
	return d.random.IntN(1 + d.random.IntN(d.shape.Nodes))
}

// takeBack undoes one of the publications.
func (d *drawing) takeBack(published int) Step {
	step := d.published[published]
	d.published = slices.Delete(d.published, published, published+1)
	return Step{Move: Unpublish, Name: step.Name, Node: step.Node}
}

func (d *drawing) isPublished(name int) bool {
	of := func(s Step) bool { return s.Name == name }
	return slices.ContainsFunc(d.published, of) || slices.ContainsFunc(d.mounted, of)
}

// mount brings a volume to a workload.
func (d *drawing) mount() Step {
	steps := d.mountOf(d.pick(d.live), d.node())
	d.next = append(d.next, steps[1:]...)
	return steps[0]
}

// mountOf brings the volume to a workload, as a CO does, and now and then makes each call twice.
func (d *drawing) mountOf(name, node int) []Step {
	const seldom = 5
	mount := Step{Move: Mount, Name: name, Node: node, ReadOnly: d.oneIn(seldom), Twice: d.oneIn(seldom)}
	d.mounted = append(d.mounted, mount)
	steps := []Step{mount}
	if d.shape.Stage {
		steps = slices.Insert(steps, 0, Step{Move: Stage, Name: mount.Name, Node: mount.Node, Twice: d.oneIn(seldom)})
	}
	if d.shape.Attach {
		steps = slices.Insert(steps, 0, Step{Move: Publish, Name: mount.Name, Node: mount.Node})
	}
	return steps
}

// unmount takes a volume from a node altogether.
func (d *drawing) unmount() Step {
	return d.unmountAt(d.random.IntN(len(d.mounted)))
}

func (d *drawing) unmountAt(mounted int) Step {
	mount := d.mounted[mounted]
	d.mounted = slices.Delete(d.mounted, mounted, mounted+1)
	if d.shape.Stage {
		d.next = append(d.next, Step{Move: Unstage, Name: mount.Name, Node: mount.Node})
	}
	if d.shape.Attach {
		d.next = append(d.next, Step{Move: Unpublish, Name: mount.Name, Node: mount.Node})
	}
	return Step{Move: Unmount, Name: mount.Name, Node: mount.Node}
}

// remount draws steps for a volume that was mounted, whether or not it still is.
func (d *drawing) remount() Step {
	mount := d.mounted[d.random.IntN(len(d.mounted))]
	mount.Twice = false
	return d.choose([]choice{
		{2, func() Step { return mount }},
		{2, func() Step { return mount.as(Unmount) }},
		{weight(d.shape.Stage, 1), func() Step { return mount.as(Stage) }},
		{weight(d.shape.Stage, 1), func() Step { return mount.as(Unstage) }},
		{weight(d.shape.Grow, 3), func() Step {
			if d.shape.NodeGrow {
				d.next = append(d.next, mount.as(NodeGrow))
			}
			return Step{Move: Grow, Name: mount.Name}
		}},
	})
}

// as returns another move of the same volume on the same node, and to another move at the same path.
func (s Step) as(move Move) Step {
	return Step{Move: move, Name: s.Name, Node: s.Node}
}

func (s Step) to(move Move) Step {
	return Step{Move: move, Name: s.Name, Node: s.Node, Path: s.Path}
}
