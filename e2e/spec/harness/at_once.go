package harness

import (
	"context"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Outcome is how one of several calls ended.
type Outcome[Response any] struct {
	Response Response
	Err      error
}

// AtOnce makes a call so many times, all of them in flight together, as a CO does that has lost its state (GEN-01). One
// without an answer ends the case as an error.
//
//	outcomes := harness.AtOnce(ctx, 4, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
//		return under.Controller.DeleteVolume(ctx, request)
//	})
func AtOnce[Response any](ctx context.Context, times int, call func(ctx context.Context) (Response, error)) []Outcome[Response] {
	// Outside of the case's own goroutine, no call may end the case.
	tolerant := Tolerant(ctx)
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

	for _, outcome := range outcomes {
		switch status.Code(outcome.Err) {
		case codes.Canceled, codes.DeadlineExceeded, codes.Unavailable:
			verdict.CouldNotTell("one of %d calls at once was not answered: %s", times, describe(outcome.Err))
		}
	}
	return outcomes
}
