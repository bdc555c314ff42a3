// SPDX-License-Identifier: Apache-2.0

// Package calls makes calls as a CO that has lost its state does: several at once, and some that it gives up.
package calls

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Outcome is how one of several calls ended.
type Outcome[Response any] struct {
	Response Response
	Err      error

	again func() (Response, error)
}

// AtOnce makes the given number of identical calls, all in flight together, as a CO that has lost its state does
// (GEN-01). None of them is repeated, so that the case sees the first answers; Graceful repeats them afterwards.
//
//	outcomes := calls.AtOnce(ctx, 4, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
//		return under.Controller.DeleteVolume(ctx, request)
//	})
func AtOnce[Response any](ctx context.Context, times int, call func(ctx context.Context) (Response, error)) []Outcome[Response] {
	// Only the goroutine of the case may end the case, so a call must not.
	tolerant := attempt.Once(attempt.Tolerant(ctx))
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
		attempt.MustBeAnswered(outcomes[i].Err)
		outcomes[i].again = func() (Response, error) { return call(ctx) }
	}
	return outcomes
}

// Graceful returns the answers among the outcomes of concurrent calls. A call that was not answered OK should be
// ABORTED, which means that another call is pending (GEN-02), or have another transient status; any other failure is a
// warning. A call that was refused with such a status is repeated, as a CO does, and its answer is returned as well.
// The case fails by the clause, which is about idempotency, if one of the calls was answered OK and a repeated call
// fails: no call is pending any more.
func Graceful[Response any](ctx context.Context, clause string, outcomes []Outcome[Response]) []Response {
	var answers []Response
	done := slices.ContainsFunc(outcomes, func(o Outcome[Response]) bool { return o.Err == nil })
	for _, outcome := range outcomes {
		code := status.Code(outcome.Err)
		switch {
		case code == codes.OK:
			answers = append(answers, outcome.Response)
		case statuses.MayPass(code):
			harness.ExpectRefused(ctx, "GEN-03", outcome.Err, "a second call for one volume may be refused while the first is pending", code)
			answer, err := outcome.again()
			if done && status.Code(err) != codes.ResourceExhausted {
				harness.ExpectOK(clause, err, fmt.Sprintf("one of several concurrent calls was answered OK, and one that was refused with %s is repeated", code))
			}
			answers, done = append(answers, harness.NeedOK(answer, err)), true
		default:
			harness.ExpectRefused(ctx, "GEN-09", outcome.Err, "a call that fails has a status")
			suite.Warn(ctx, "GEN-02", "concurrent calls should be answered, or be ABORTED, and one was refused: %s", describe.Status(outcome.Err))
		}
	}
	return answers
}
