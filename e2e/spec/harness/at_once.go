// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"sync"
)

// Outcome is how one of several calls ended.
type Outcome[Response any] struct {
	Response Response
	Err      error

	again func() (Response, error)
}

// AtOnce makes a call so many times, all of them in flight together, as a CO does that has lost its state (GEN-01). None
// of them is repeated, so that the case sees the first answers; Graceful does that afterwards.
//
//	outcomes := harness.AtOnce(ctx, 4, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
//		return under.Controller.DeleteVolume(ctx, request)
//	})
func AtOnce[Response any](ctx context.Context, times int, call func(ctx context.Context) (Response, error)) []Outcome[Response] {
	// Outside of the case's own goroutine, no call may end the case.
	tolerant := Once(Tolerant(ctx))
	outcomes := make([]Outcome[Response], times)
	together := make(chan struct{})
	var calls sync.WaitGroup
	for i := range outcomes {
		calls.Go(func() {
			<-together
			outcomes[i].Response, outcomes[i].Err = call(tolerant)
		})
	}
	close(together)
	calls.Wait()

	for i := range outcomes {
		mustBeAnswered(outcomes[i].Err)
		outcomes[i].again = func() (Response, error) { return call(ctx) }
	}
	return outcomes
}
