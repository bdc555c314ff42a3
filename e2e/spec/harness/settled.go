// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"
)

// Settled asks again and again until holds does, for as long as a driver may take to show the effect, and reports whether
// it does. Once that was in vain, later waits for the same effect are short.
func (d *Driver) Settled(ctx context.Context, effect Effect, holds func() bool) bool {
	const polling = 100 * time.Millisecond
	patience := &d.health.patience
	for begin := time.Now(); ; {
		if holds() {
			patience.noteShown(effect, time.Since(begin))
			return true
		}
		// Another case may have waited in vain in the meantime.
		left := patience.limit(effect, d.target.Timeouts.Settle) - time.Since(begin)
		if ctx.Err() != nil {
			return false
		}
		if left <= 0 {
			patience.noteVain(effect)
			return false
		}
		if pause(ctx, min(polling, left)) != nil {
			return false
		}
	}
}
