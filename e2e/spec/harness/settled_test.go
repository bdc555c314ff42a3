// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// awaited is how long Settled takes for an effect that is shown after a while, or never.
type awaited struct {
	effect Effect
	shown  time.Duration
	takes  time.Duration
}

const never = -1

func TestSettledWaitsInVainOnceForEachEffect(t *testing.T) {
	const limit, short = 10 * time.Second, time.Second
	for _, c := range []struct {
		name  string
		waits []awaited
	}{
		{"at once", []awaited{{ShownCapacity, 0, 0}}},
		{"never", []awaited{{ShownCapacity, never, limit}, {ShownCapacity, never, short}, {ShownCapacity, never, short}}},
		{"never, of two effects", []awaited{{ShownCapacity, never, limit}, {ShownCreation, never, limit}, {ShownCapacity, never, short}, {ShownCreation, never, short}}},
		{"slowly", []awaited{{ShownCapacity, limit, limit}, {ShownCapacity, limit, limit}, {ShownCapacity, limit / 2, limit / 2}}},
		{"slowly beside another that is never shown", []awaited{{ShownDetachment, never, limit}, {ShownAttachment, limit, limit}, {ShownDetachment, never, short}}},
		{"slowly, and then never", []awaited{{ShownCapacity, 2 * short, 2 * short}, {ShownCapacity, never, limit}, {ShownCapacity, never, 4 * short}, {ShownCapacity, 3 * short, 3 * short}, {ShownCapacity, never, 6 * short}}},
		{"very slowly, and then never", []awaited{{ShownCapacity, 8 * short, 8 * short}, {ShownCapacity, never, limit}, {ShownCapacity, never, limit}}},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			health := &health{}
			for i, w := range c.waits {
				d := connect(&Target{Timeouts: profile.Timeouts{Settle: limit}}, health, "case")
				begin := time.Now()
				holds := func() bool { return w.shown != never && time.Since(begin) >= w.shown }
				settled := d.Settled(t.Context(), w.effect, holds)
				if took := time.Since(begin); settled != (w.shown != never) || took != w.takes {
					t.Errorf("wait %d for %s: settled is %t after %s, want %t after %s", i+1, w.effect, settled, took, w.shown != never, w.takes)
				}
			}
		})
	}
}

func TestSettledEndsWhenAnotherCaseHasWaitedInVain(t *testing.T) {
	onFakeTime(t, "two cases at once", func(t *testing.T) {
		const limit, later = 10 * time.Second, 5 * time.Second
		health, begin := &health{}, time.Now()
		d := func() *Driver { return connect(&Target{Timeouts: profile.Timeouts{Settle: limit}}, health, "case") }
		first := make(chan struct{})
		go func() {
			defer close(first)
			d().Settled(t.Context(), ShownCreation, func() bool { return false })
		}()
		time.Sleep(later) //nolint:forbidigo // on fake time
		d().Settled(t.Context(), ShownCreation, func() bool { return false })
		<-first
		if took := time.Since(begin); took > limit+200*time.Millisecond {
			t.Errorf("both took %s, want no more than about %s", took, limit)
		}
	})
}
