// SPDX-License-Identifier: Apache-2.0

package sequence

func (p *living) restart(at string) {
	if p.life[restarted] != at {
		return
	}
	p.add(Step{Move: Restart})
	p.look(theVolume)
}

func (p *living) growAt(at string) {
	if p.life[grown] != at {
		return
	}
	grow := p.step(Grow, theVolume)
	grow.Twice, grow.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	if p.life[size] == oddSize {
		grow.Size = Odd
	}
	if grow.Cut { // so that it shows if it is done twice
		grow.Limit = Exact
	}
	present := p.step(Grow, theVolume)
	present.Size = Present
	p.add(grow, present)
	p.look(theVolume)
}

// bring brings a volume to a workload on the node, and take takes it away again.
func (p *living) bring(of, node int) {
	at := Step{Name: p.name(of), Node: node}
	if p.shape.Attach {
		p.add(at.as(Publish))
	}
	if p.shape.Stage {
		p.add(at.as(Stage))
	}
	p.add(at.as(Mount))
}

func (p *living) take(of, node int) {
	at := Step{Name: p.name(of), Node: node}
	p.add(at.as(Unmount))
	if p.shape.Stage {
		p.add(at.as(Unstage))
	}
	if p.shape.Attach {
		p.add(at.as(Unpublish))
	}
}

// write writes a new text to the volume, after reading its earlier content.
func (p *living) write(of int) {
	if p.shape.Nodes > 0 {
		p.bring(of, 0)
		p.take(of, 0)
	}
}

// use uses the volume as the life says.
func (p *living) use() {
	if p.shape.Attach && p.life[asked] == cutShort {
		p.add(Step{Move: Publish, Name: p.name(theVolume), Cut: true})
	}
	p.bring(theVolume, 0)
	node := 0
	at := Step{Name: p.name(theVolume)}
	switch p.life[used] {
	case atTwoPaths:
		second := at.as(Mount)
		second.Path = 1
		p.add(second, at.as(Unmount), at.as(Mount))
		if p.shape.Stats {
			p.add(second.to(Stats))
		}
	case readOnly:
		reading := at.as(Mount)
		reading.ReadOnly = true
		p.add(at.as(Unmount), reading)
	case moved:
		p.take(theVolume, 0)
		p.bring(theVolume, 1)
		node = 1
	case onTwoNodes:
		p.bring(theVolume, 1)
	}
	at.Node = node
	p.again(at)
	p.growAt(grownWhile)
	if p.shape.Stats && p.life[grown] == grownWhile { // before the node expands it
		p.add(at.as(Stats))
	}
	if p.shape.NodeGrow && (p.life[grown] == grownWhile || p.life[grown] == grownBefore) {
		if p.life[used] == readOnly { // which a node cannot expand
			p.add(at.as(Unmount), at.as(Mount))
		}
		p.add(at.as(NodeGrow), at.as(NodeGrow))
		if p.life[used] == onTwoNodes {
			p.add(Step{Move: NodeGrow, Name: at.Name, Node: 1})
		}
	}
	if p.life[copied] == snapshottedInUse {
		p.snapshot()
		if p.life[used] != readOnly {
			p.add(at.as(Unmount), at.as(Mount)) // which writes data that is not in the snapshot
		}
	}
	if p.life[restarted] == restartedInUse {
		p.add(Step{Move: Restart})
	}
	p.again(at)
	second := at
	switch second.Path = 1; p.life[used] {
	case atTwoPaths:
		p.add(second.to(Mount))
		if p.shape.Stats {
			p.add(second.to(Stats), at.as(Stats))
		}
		if p.shape.Stats && p.life[grown] == grownWhile { // a path without earlier reports
			third := at
			third.Path = 2
			p.add(third.to(Mount), third.to(Stats), second.to(Stats), at.as(Stats), third.to(Unmount))
		}
	case onTwoNodes:
		p.again(Step{Name: at.Name, Node: 1})
		if p.shape.List {
			p.add(Step{Move: List, Page: 2}, Step{Move: List, Page: 3})
		}
	}
	p.publishOtherwise(at)
	p.look(theVolume)
	p.add(p.step(Validate, theVolume))
	if p.life[used] == atTwoPaths {
		p.add(second.to(Unmount))
	}
	if p.life[used] == onTwoNodes {
		p.take(theVolume, 1)
		p.look(theVolume)
	}
	p.take(theVolume, node)
	p.take(theVolume, node)
	if p.life[used] == onTwoNodes && p.shape.Attach {
		p.deleteInUse(at)
	}
	if p.life[grown] == grownWhile {
		refused := p.step(Grow, theVolume)
		refused.Size = Present
		p.add(refused)
	}
	p.look(theVolume)
}

// deleteInUse deletes the volume while it is published to both nodes, and again while one of them still has it. If the
// driver deletes it, the volume is created again.
func (p *living) deleteInUse(at Step) {
	other, remove := Step{Name: at.Name, Node: 1 - at.Node}, at.as(Delete)
	p.add(at.as(Publish), other.as(Publish), remove, other.as(Unpublish), remove, at.as(Unpublish))
	p.add(p.step(Again, theVolume))
}

// publishOtherwise requests publications in addition to the one on the node: to another node, and to the same node in
// another way. Most volumes do not support them.
func (p *living) publishOtherwise(at Step) {
	if !p.shape.Attach {
		return
	}
	if p.shape.Nodes > 1 && p.life[used] != onTwoNodes && !p.as().ofSeveral() {
		p.add(Step{Move: Publish, Name: at.Name, Node: 1 - at.Node})
	}
	if p.shape.ReadOnly {
		reading := at.as(Publish)
		reading.ReadOnly = true
		p.add(reading)
	}
}

// again repeats the calls that brought the volume to the workload.
func (p *living) again(at Step) {
	if p.shape.Attach {
		p.add(at.as(Publish))
	}
	if p.shape.Stage {
		p.add(at.as(Stage))
	}
	p.add(at.as(Mount))
	if p.shape.Stats {
		p.add(at.as(Stats))
	}
}
