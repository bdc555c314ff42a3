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
	// snapped says that there is a snapshot of the volume.
	snapped bool
	// looked is how many steps there were when all was looked at the last time, and lookedAt the volume.
	looked, lookedAt int
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
	p.add(p.step(Validate, theVolume))
	p.page()
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
		if p.as() == Plain {
			p.write(theTwin) // of a copy nobody says that a node can use it, whatever the path
		}
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

// look asks for all that is known of the volume once more, and of the snapshots, unless nothing has happened since.
func (p *living) look(of int) {
	if len(p.plan) == p.looked && of == p.lookedAt {
		return
	}
	p.add(p.step(Again, of))
	if p.shape.Get {
		p.add(p.step(Get, of))
	}
	if p.shape.List {
		p.add(Step{Move: List})
	}
	if p.snapped {
		p.add(Step{Move: Snapshot, Name: p.name(theVolume), Snapshot: p.name(theVolume)})
	}
	p.looked, p.lookedAt = len(p.plan), of
}

// page lists what there is in pages of one entry, where there are others.
func (p *living) page() {
	if p.life[company] != among || p.life[restarted] != neverRestarted {
		return
	}
	if p.shape.List {
		p.add(Step{Move: List, Page: 1})
	}
	if p.shape.ListSnapshots && p.snapped {
		second := Step{Move: Snapshot, Name: p.name(theVolume), Snapshot: p.name(theCopy)}
		p.add(second, Step{Move: ListSnapshots, Name: p.name(theVolume), Page: 1}, Step{Move: DeleteSnapshot, Snapshot: p.name(theCopy)})
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
		if p.life[used] == onTwoNodes {
			p.add(Step{Move: NodeGrow, Name: at.Name, Node: 1})
		}
	}
	if p.life[copied] == snapshottedInUse {
		p.snapshot()
		if p.life[used] != readOnly {
			p.add(at.as(Unmount), at.as(Mount)) // which writes what is not in the snapshot
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
			p.add(second.to(Stats))
		}
	case onTwoNodes:
		p.again(Step{Name: at.Name, Node: 1})
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
	p.look(theVolume)
}

// publishOtherwise asks for publications beside the one on the node: of the whole volume to another node, and in another way to
// the same. Most volumes do not have them.
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
	switch p.life[form] {
	case longestName:
		take.Form = Longest
		p.add(Step{Move: Snapshot, Name: p.name(theTwin), Snapshot: p.name(theTwin), Form: Longest})
	case otherCase:
		take.Form, take.Twin = OtherCase, p.name(theTwin)
		p.add(Step{Move: Snapshot, Name: p.name(theTwin), Snapshot: p.name(theTwin)})
	}
	first := take
	first.Twice, first.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	p.add(first, take)
	p.snapped = true
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
	p.write(theCopy)
	p.write(theVolume)
}

// end deletes what copies were made of, looks at them and at the others, deletes all, and asks for what is deleted.
func (p *living) end() {
	if p.life[company] == beside {
		p.again(Step{Name: p.name(theCompanion)})
		p.take(theCompanion, 0)
	}
	p.deleteSource(theSource, p.life[origin] != created, theVolume)
	p.deleteSource(theVolume, p.life[copied] != notCopied, theCopy)
	p.askForDeleted()
	if p.shape.Snapshots {
		p.add(Step{Move: DeleteSnapshot, Snapshot: p.name(theTwin)})
	}
	p.add(p.step(Again, theTwin), p.step(Again, theCompanion)) // which are there still
	for _, of := range []int{theCopy, theTwin, theCompanion, another} {
		p.add(p.step(Delete, of))
	}
	for _, of := range []int{theVolume, theSource} { // which their copies may have kept
		p.deleteSource(of, false, of)
	}
	if p.shape.List {
		p.add(Step{Move: List})
	}
}

// deleteSource deletes a volume with its snapshots. Where there is a copy of it, that stays as it is.
func (p *living) deleteSource(of int, isCopied bool, as int) {
	if p.shape.Snapshots {
		p.add(Step{Move: DeleteSnapshot, Snapshot: p.name(of)})
		p.snapped = p.snapped && of != theVolume
	}
	p.add(p.step(Delete, of))
	if isCopied {
		p.write(as)
		p.look(as)
	}
}

// askForDeleted makes calls for the volume and its snapshot, which are deleted, of each kind that was made before, and has a volume
// created under the name again.
func (p *living) askForDeleted() {
	p.add(p.step(Validate, theVolume))
	if p.shape.Get {
		p.add(p.step(Get, theVolume))
	}
	if p.life[used] != unused && p.shape.Attach {
		p.add(p.step(Publish, theVolume), p.step(Unpublish, theVolume))
	}
	if p.life[grown] != neverGrown {
		p.add(p.step(Grow, theVolume))
	}
	if p.life[copied] != notCopied {
		copyOfNone := p.volume(theSource)
		if p.life[copied] == copiedByClone {
			copyOfNone.Source = p.name(theVolume)
		} else {
			copyOfNone.Snapshot = p.name(theVolume)
			p.add(Step{Move: Snapshot, Name: p.name(theVolume), Snapshot: p.name(theSource)})
		}
		p.add(copyOfNone, p.step(Delete, theSource))
	}
	anew := p.volume(theVolume)
	anew.Limit = Exact
	p.add(anew, p.step(Delete, theVolume))
}
