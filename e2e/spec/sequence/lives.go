// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// living writes the plan of a life: each part of it is followed by what asks for the same once more, or looks at it.
type living struct {
	life
	shape Shape
	// first is the number of the first name.
	first int
	plan  []Step
}

// The names of a life, from its first on.
const (
	theVolume = iota
	theSource
	theCompanion
	another
	theTwin
	theCopy
	namesOfLife
)

// planOf is the plan of the life with the number.
func planOf(number int, l life, shape Shape) []Step {
	p := &living{life: l, shape: shape, first: 1 + number*namesOfLife}
	p.keepCompany()
	p.create(number)
	p.growAt(grownBefore)
	if l[used] != unused {
		p.use()
	}
	p.growAt(grownAfter)
	p.copy()
	p.restart(restartedAfterwards)
	p.look(theVolume)
	p.end()
	return p.plan
}

func (p *living) add(steps ...Step) { p.plan = append(p.plan, steps...) }

// name is the number of one of the life's names.
func (p *living) name(of int) int { return p.first + of }

// step is one about one of the life's volumes.
func (p *living) step(move Move, of int) Step { return Step{Move: move, Name: p.name(of)} }

// as is what the life's volumes are created for.
func (p *living) as() Use {
	return map[string]Use{asOne: Plain, asDevice: Device, asPods: Pods, asShared: Shared, asSharedDevice: SharedDevice}[p.life[access]]
}

// volume asks for a volume of the life's kind.
func (p *living) volume(of int) Step {
	step := p.step(Create, of)
	step.X, step.Use = int(p.life[kind][0]-'0'), p.as()
	return step
}

// keepCompany makes the volumes that are there besides.
func (p *living) keepCompany() {
	if p.life[company] == alone {
		return
	}
	companion := p.volume(theCompanion)
	companion.Size = Double
	p.add(companion)
	if p.life[company] == beside {
		p.bring(theCompanion, 0)
	} else {
		p.add(p.volume(another))
	}
}

// create makes the volume as the life has it, and asks for it again.
func (p *living) create(number int) {
	step := p.volume(theVolume)
	switch p.life[origin] {
	case restored, orphan:
		p.add(p.volume(theSource))
		p.write(theSource)
		p.add(Step{Move: Snapshot, Name: p.name(theSource), Snapshot: p.name(theSource)})
		p.write(theSource)
		if p.life[origin] == orphan {
			p.add(p.step(Delete, theSource))
		}
		step.Snapshot = p.name(theSource)
	case cloned:
		p.add(p.volume(theSource))
		p.write(theSource)
		step.Source = p.name(theSource)
	}
	switch p.life[size] {
	case oddSize:
		step.Size = Odd
	case exactSize:
		step.Limit = Exact
	case doubleSize:
		step.Size = Double
	}
	switch p.life[form] {
	case longestName:
		twin := p.volume(theTwin)
		twin.Form, step.Form = Longest, Longest
		p.add(twin)
	case otherCase:
		p.add(p.volume(theTwin))
		step.Form, step.Twin = OtherCase, p.name(theTwin)
	}
	if n := p.shape.Segments; n > 0 && number%2 == 1 && step.Snapshot+step.Source == 0 { // as Kubernetes asks, every other time
		for i := range min(n, step.X+1) {
			step.Requisite = append(step.Requisite, (number+i)%n)
		}
		step.Preferred = slices.Clone(step.Requisite)
	} else if n > 0 && number%2 == 1 { // where its source is
		step.Requisite = []int{0}
	}
	step.Twice, step.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	p.add(step)
	if p.life[origin] == cloned { // what is written to the source later is not in the clone
		p.write(theSource)
	}
	p.look(theVolume)
}

// look asks for all that is known of the volume once more.
func (p *living) look(of int) {
	p.add(p.step(Again, of), p.step(Validate, of))
	if p.shape.Get {
		p.add(p.step(Get, of))
	}
	if p.shape.List {
		p.add(Step{Move: List})
	}
}

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

// write has something new written to the volume, and what was there before be read.
func (p *living) write(of int) {
	if p.shape.Nodes > 0 {
		p.bring(of, 0)
		p.take(of, 0)
	}
}

// use has the volume used as the life has it.
func (p *living) use() {
	p.bring(theVolume, 0)
	node := 0
	at := Step{Name: p.name(theVolume)}
	switch p.life[used] {
	case atTwoPaths:
		second := at.as(Mount)
		second.Path = 1
		p.add(second, at.as(Unmount), at.as(Mount))
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
	if p.life[grown] == grownWhile && p.shape.NodeGrow {
		p.add(at.as(NodeGrow), at.as(NodeGrow))
	}
	if p.life[copied] == snapshottedInUse {
		p.snapshot()
	}
	if p.life[restarted] == restartedInUse {
		p.add(Step{Move: Restart})
	}
	p.again(at)
	p.look(theVolume)
	if p.life[used] == atTwoPaths {
		second := at.as(Unmount)
		second.Path = 1
		p.add(second)
	}
	if p.life[used] == onTwoNodes {
		p.take(theVolume, 1)
		p.look(theVolume)
	}
	p.take(theVolume, node)
	p.take(theVolume, node)
	p.look(theVolume)
}

// again makes the calls once more that brought the volume where it is.
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

func (p *living) snapshot() {
	take := Step{Move: Snapshot, Name: p.name(theVolume), Snapshot: p.name(theVolume)}
	first := take
	first.Twice, first.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	p.add(first, take)
	if p.shape.ListSnapshots {
		p.add(Step{Move: ListSnapshots}, Step{Move: ListSnapshots, Name: p.name(theVolume)}, Step{Move: ListSnapshots, Snapshot: p.name(theVolume)})
	}
}

// copy has the volume copied as the life has it, and the copy used beside it.
func (p *living) copy() {
	step := p.volume(theCopy)
	switch p.life[copied] {
	case notCopied:
		return
	case snapshotted:
		p.snapshot()
		step.Snapshot = p.name(theVolume)
	case snapshottedInUse:
		step.Snapshot = p.name(theVolume)
	case copiedByClone:
		step.Source = p.name(theVolume)
	}
	step.Twice, step.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	p.add(step)
	p.write(theVolume)
	if step.Snapshot > 0 {
		p.add(Step{Move: Snapshot, Name: p.name(theVolume), Snapshot: p.name(theVolume)})
	}
	p.write(theCopy)
	p.write(theVolume)
	p.look(theCopy)
}

// end looks at the others, and deletes all.
func (p *living) end() {
	if p.life[company] == beside {
		p.again(Step{Name: p.name(theCompanion)})
		p.take(theCompanion, 0)
	}
	if p.shape.Snapshots {
		for _, of := range []int{theVolume, theSource} {
			p.add(Step{Move: DeleteSnapshot, Snapshot: p.name(of)}, Step{Move: DeleteSnapshot, Snapshot: p.name(of)})
		}
	}
	p.add(p.step(Delete, theVolume))
	for _, of := range []int{theCopy, theSource, theTwin, theCompanion, another} {
		p.add(p.step(Again, of), p.step(Delete, of))
	}
	p.add(p.step(Delete, theVolume), p.step(Validate, theVolume))
	if p.shape.List {
		p.add(Step{Move: List})
	}
}
