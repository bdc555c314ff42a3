// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// living writes the plan of a life: after each part, it repeats the request or looks at the result.
type living struct {
	life
	shape Shape
	// first is the number of the first name.
	first int
	plan  []Step
	// snapped reports that the volume has a snapshot.
	snapped bool
	// looked is the number of steps at the last look at everything, and lookedAt the volume.
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

// planOf returns the plan of the life with the number.
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

// name returns the number of one of the life's names.
func (p *living) name(of int) int { return p.first + of }

// step returns a step about one of the life's volumes.
func (p *living) step(move Move, of int) Step { return Step{Move: move, Name: p.name(of)} }

// as returns the use that the life's volumes are created for.
func (p *living) as() Use {
	return map[string]Use{asOne: Plain, asDevice: Device, asPods: Pods, asShared: Shared, asSharedDevice: SharedDevice}[p.life[access]]
}

// asOther returns the use of volumes of the other access type, if the driver has both.
func (p *living) asOther() Use {
	switch {
	case p.as() == Device || p.as() == SharedDevice:
		return Plain
	case slices.Contains(p.shape.Uses, Device):
		return Device
	default:
		return p.as()
	}
}

// volume asks for a volume of the life's kind.
func (p *living) volume(of int) Step {
	step := p.step(Create, of)
	step.X, step.Use = int(p.life[kind][0]-'0'), p.as()
	return step
}

// keepCompany creates the other volumes that exist at the same time.
func (p *living) keepCompany() {
	if p.life[company] == alone {
		return
	}
	companion := p.volume(theCompanion)
	companion.Size = Double
	if p.life[company] == beside {
		companion.Use = p.asOther()
	}
	p.add(companion)
	if p.life[company] == beside {
		p.bring(theCompanion, 0)
	} else {
		p.add(p.volume(another))
	}
}

// create creates the volume as the life says, and repeats the request.
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
		if p.shape.Snapshots {
			p.add(Step{Move: Snapshot, Name: p.name(theSource), Snapshot: p.name(theSource)})
		}
		step.Source = p.name(theSource)
	}
	switch p.life[size] {
	case oddSize:
		step.Size, step.Limit = Odd, Exact
	case exactSize:
		step.Limit = Exact
	case doubleSize:
		step.Size = Double
	}
	twin := p.volume(theTwin)
	switch p.life[form] {
	case longestName:
		twin.Form, step.Form = Longest, Longest
		p.add(twin)
		if p.as() == Plain {
			p.write(theTwin) // nothing says that a node can use a copy, whatever the path
		}
	case otherCase:
		twin.Snapshot, twin.Source = step.Snapshot, step.Source
		p.add(twin)
		step.Form, step.Twin = OtherCase, p.name(theTwin)
	}
	step = p.place(step, number)
	step.Twice, step.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	p.add(step)
	step.Twice, step.Cut = false, false
	if step.Size == Odd { // a driver that rounds sizes has none within the limit
		step.Limit = NoLimit
		p.add(step)
	}
	if step.Size != Unit && step.Snapshot+step.Source > 0 { // nor need a copy be larger than its source
		step.Size = Unit
		p.add(step)
	}
	if p.life[origin] == cloned { // data that is written to the source later is not in the clone
		p.write(theSource)
	}
	if p.life[origin] != created && p.shape.Snapshots { // the name belongs to a snapshot of the source, not of the copy
		p.add(Step{Move: Snapshot, Name: p.name(theVolume), Snapshot: p.name(theSource)})
	}
	p.look(theVolume)
}

// place adds the requirement of the life to a request, beginning with the segment with the number. A copy is requested where
// its source is, and elsewhere, where a driver may not be able to create it.
func (p *living) place(step Step, first int) Step {
	var from []int
	for i := range min(p.shape.Segments, step.X+1) {
		from = append(from, (first+i)%p.shape.Segments)
	}
	switch p.life[where] {
	case oneMore: // as Kubernetes asks
		step.Requisite, step.Preferred = from, slices.Clone(from)
	case exactly:
		step.Requisite = from[:min(len(from), step.X)]
	case preferredAlone:
		step.Preferred = from[:1]
	}
	return step
}

// look repeats every request that shows the state of the volume and of the snapshots, unless nothing has happened since.
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

// page lists the volumes in pages of one entry, if there are others.
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
