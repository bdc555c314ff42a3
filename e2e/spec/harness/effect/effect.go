// SPDX-License-Identifier: Apache-2.0

// Package effect names the effects that drivers may take a while to show, and remembers how long to wait for each.
package effect

import (
	"context"
	"sync"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// Effect is a change that a driver may take a while to show. A change that a correct driver need not show at all, such as
// that a volume is no longer on a node (LV-07), is a separate effect: that it does not appear says nothing about effects
// that a driver must show.
type Effect string

// The effects that cases wait for.
const (
	Capacity     Effect = "capacity, after a change"
	Room         Effect = "the room of a segment that volumes fill"
	RoomAgain    Effect = "room that other volumes had"
	AnyRoom      Effect = "any room where a volume was deleted"
	Steadiness   Effect = "the same capacity when it is asked for again"
	Creation     Effect = "that something was created, or is ready to use"
	Deletion     Effect = "that something was deleted"
	Unknown      Effect = "that calls no longer find something deleted"
	SourceGone   Effect = "that the source of volumes was deleted"
	Attachment   Effect = "the node that a volume was attached to"
	Detachment   Effect = "that a volume was detached"
	Growth       Effect = "the size of a volume that has grown"
	NodeGrowth   Effect = "the size of a file system that has grown"
	Topology     Effect = "one topology in all calls"
	FreeName     Effect = "that the name of something deleted can be used again"
	SnapshotRoom Effect = "what the first snapshot of a sequence takes"
	Ready        Effect = "that a snapshot of a sequence is ready to use"
	Sequence     Effect = "all that a sequence has made"
	NoRegret     Effect = "nothing that a sequence has deleted, in lists"
	Gone         Effect = "that calls no longer find what a sequence has deleted"
	NothingNew   Effect = "nothing but what was there before"
)

// Repetition returns the effect that a call, named by its response, succeeds after it was cut short and refused.
func Repetition(response string) Effect {
	return Effect("that repeated calls succeed: " + response)
}

// Patience tracks how long to wait for each effect on one driver. It waits less and less for an effect that does not
// appear, because each case would wait for a driver that never shows it.
type Patience struct {
	mu      sync.Mutex
	vain    map[Effect]int           // the number of failed waits since the effect was last shown
	longest map[Effect]time.Duration // how long it took until the effect was shown
}

// limit returns how long to wait for the effect. After each failed wait, it is half as long as before, but long enough for
// the slowest time that the driver has shown.
func (p *Patience) limit(of Effect, whole time.Duration) time.Duration {
	const part, margin = 10, 2
	p.mu.Lock()
	defer p.mu.Unlock()
	vain := p.vain[of]
	if vain == 0 {
		return whole
	}
	return min(whole, max(whole/part>>(vain-1), margin*p.longest[of]))
}

// noteShown records how long it took until the effect was shown.
func (p *Patience) noteShown(of Effect, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.longest == nil {
		p.longest = map[Effect]time.Duration{}
	}
	p.longest[of] = max(p.longest[of], took)
	if p.vain[of] > 0 {
		p.vain[of] = 1
	}
}

// noteVain records a failed wait for the effect.
func (p *Patience) noteVain(of Effect) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.vain == nil {
		p.vain = map[Effect]int{}
	}
	p.vain[of]++
}

// Settled calls holds until it returns true, for as long as a driver may take to show the effect, and reports whether it
// did. After a failed wait, it waits less for the same effect.
func (p *Patience) Settled(ctx context.Context, whole time.Duration, effect Effect, holds func() bool) bool {
	const polling = 100 * time.Millisecond
	for begin := time.Now(); ; {
		if holds() {
			p.noteShown(effect, time.Since(begin))
			return true
		}
		// Another case may have had a failed wait in the meantime.
		left := p.limit(effect, whole) - time.Since(begin)
		if ctx.Err() != nil {
			return false
		}
		if left <= 0 {
			p.noteVain(effect)
			return false
		}
		if attempt.Pause(ctx, min(polling, left)) != nil {
			return false
		}
	}
}
