// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"sync"
	"time"
)

// Effect is something that a driver may take a while to show. What a right driver need not show at all, such as that a
// volume is no longer on a node (LV-07), is an effect of its own: having waited for it in vain says nothing of those that a
// driver must show.
type Effect string

// The effects that cases wait for.
const (
	ShownCapacity     Effect = "capacity, after a change"
	ShownRoom         Effect = "the room of a segment that volumes fill"
	ShownCreation     Effect = "that something was created, or is ready to use"
	ShownDeletion     Effect = "that something was deleted"
	ShownUnknown      Effect = "that calls no longer find something deleted"
	ShownSourceGone   Effect = "that the source of volumes was deleted"
	ShownAttachment   Effect = "the node that a volume was attached to"
	ShownDetachment   Effect = "that a volume was detached"
	ShownGrowth       Effect = "the size of a volume that has grown"
	ShownNodeGrowth   Effect = "the size of a file system that has grown"
	ShownTopology     Effect = "one topology in all calls"
	ShownFreeName     Effect = "that the name of something deleted can be used again"
	ShownSnapshotRoom Effect = "what the first snapshot of a sequence takes"
	ShownReady        Effect = "that a snapshot of a sequence is ready to use"
	ShownSequence     Effect = "all that a sequence has made"
	ShownNoRegret     Effect = "nothing that a sequence has deleted, in lists"
	ShownGone         Effect = "that calls no longer find what a sequence has deleted"
	ShownNothingNew   Effect = "nothing but what was there before"
)

// shownRepetition is the effect that a call, named by its response, which was refused after it was cut short is OK.
func shownRepetition(response string) Effect {
	return Effect("that repeated calls succeed: " + response)
}

// patience is how long to wait for the effects on one driver. One that was waited for in vain once is not waited for as
// long again, or each case would wait for a driver that never shows it.
type patience struct {
	mu      sync.Mutex
	vain    map[Effect]bool
	longest map[Effect]time.Duration // that it took until the effect was shown
}

// limit is how long to wait for the effect. Where that was in vain, it is a part of the whole limit, yet long enough for
// what the driver has shown before.
func (p *patience) limit(of Effect, whole time.Duration) time.Duration {
	const part, margin = 10, 2
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.vain[of] {
		return whole
	}
	return min(whole, max(whole/part, margin*p.longest[of]))
}

// noteShown keeps how long it took until the effect was shown.
func (p *patience) noteShown(of Effect, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.longest == nil {
		p.longest = map[Effect]time.Duration{}
	}
	p.longest[of] = max(p.longest[of], took)
}

// noteVain keeps that the effect was waited for in vain.
func (p *patience) noteVain(of Effect) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.vain == nil {
		p.vain = map[Effect]bool{}
	}
	p.vain[of] = true
}
