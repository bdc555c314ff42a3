// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

// awaited returns how long Settled takes for an effect that is shown after a while, or
// never.
type awaited struct {
	effect effect.Effect
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
		{"at once", []awaited{{effect.Capacity, 0, 0}}},
		{"never", []awaited{{effect.Capacity, never, limit}, {effect.Capacity, never, short}, {effect.Capacity, never, short / 2}, {effect.Capacity, never, short / 4}}},
		{"never, of two effects", []awaited{{effect.Capacity, never, limit}, {effect.Creation, never, limit}, {effect.Capacity, never, short}, {effect.Creation, never, short}}},
		{"slowly", []awaited{{effect.Capacity, limit, limit}, {effect.Capacity, limit, limit}, {effect.Capacity, limit / 2, limit / 2}}},
		{"slowly beside another that is never shown", []awaited{{effect.Detachment, never, limit}, {effect.Attachment, limit, limit}, {effect.Detachment, never, short}}},
		{"slowly, and then never", []awaited{{effect.Capacity, 2 * short, 2 * short}, {effect.Capacity, never, limit}, {effect.Capacity, never, 4 * short}, {effect.Capacity, 3 * short, 3 * short}, {effect.Capacity, never, 6 * short}}},
		{"very slowly, and then never", []awaited{{effect.Capacity, 8 * short, 8 * short}, {effect.Capacity, never, limit}, {effect.Capacity, never, limit}}},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			health := &health.Health{}
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
		health, begin := &health.Health{}, time.Now()
		d := func() *Driver { return connect(&Target{Timeouts: profile.Timeouts{Settle: limit}}, health, "case") }
		first := make(chan struct{})
		go func() {
			defer close(first)
			d().Settled(t.Context(), effect.Creation, func() bool { return false })
		}()
		time.Sleep(later) //nolint:forbidigo // on fake time
		d().Settled(t.Context(), effect.Creation, func() bool { return false })
		<-first
		if took := time.Since(begin); took > limit+200*time.Millisecond {
			t.Errorf("both took %s, want no more than about %s", took, limit)
		}
	})
}
