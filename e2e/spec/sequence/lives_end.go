// SPDX-License-Identifier: Apache-2.0

package sequence

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

// copy copies the volume as the life says, and uses the copy as well.
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
	step = p.place(step, 0)
	step.Twice, step.Cut = p.life[asked] == askedTwice, p.life[asked] == cutShort
	p.add(step)
	if p.snapped { // by a name that is one of the volume's
		p.add(Step{Move: Snapshot, Name: p.name(theCopy), Snapshot: p.name(theVolume)})
	}
	p.write(theVolume)
	p.write(theCopy)
	p.write(theVolume)
	p.copyAnew(step)
}

// copyAnew creates the copy once more under its name after each deletion: unchanged, with a size that the driver chooses,
// and larger than its source, which not every driver supports.
func (p *living) copyAnew(step Step) {
	remove := p.step(Delete, theCopy)
	p.add(remove, p.step(Again, theCopy), p.step(Validate, theCopy), remove)
	step.Twice, step.Cut = false, false
	if step.Snapshot > 0 {
		step.Size = Unsized
		p.add(step, remove)
	}
	larger := step
	step.Size, larger.Size = Unit, Odd
	p.add(larger, step)
}

// end deletes the sources of copies, looks at the copies and the other volumes, deletes everything, and repeats
// requests for deleted objects.
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
	p.add(p.step(Again, theTwin), p.step(Again, theCompanion)) // which still exist
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

// deleteSource deletes a volume with its snapshots. Its copy stays.
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

// askForDeleted makes each kind of call that was made before for the deleted volume and its snapshot, and creates a
// volume under the name again.
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
	if p.life[origin] == restored || p.life[origin] == orphan {
		copyOfNone := p.volume(theSource)
		copyOfNone.Snapshot = p.name(theSource)
		p.add(copyOfNone, p.step(Delete, theSource))
	}
	anew := p.volume(theVolume)
	anew.Limit = Exact
	p.add(anew, p.step(Delete, theVolume))
}
