// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// AtOnce makes all the calls at the same time, and returns their answers in the order of the requests once all have ended.
// It does not look for traces of a failed call, because the other calls change the driver as well.
func AtOnce(ctx context.Context, d *harness.Driver, requests ...*csi.CreateVolumeRequest) []Answer {
	answers := make([]Answer, len(requests))
	together := make(chan struct{})
	errs := make([]error, len(requests))
	var calls sync.WaitGroup
	for i, request := range requests {
		calls.Go(func() {
			<-together
			response, err := d.Controller.CreateVolume(attempt.Once(attempt.Tolerant(ctx)), request)
			errs[i] = err
			answers[i] = AnswerOf(request, response, err)
		})
	}
	close(together)
	calls.Wait()
	for i, answer := range answers {
		made := slices.ContainsFunc(answers, func(a Answer) bool { return a.Name == answer.Name && a.Code == codes.OK })
		if statuses.LeavesOpen(answer.Code) && !made {
			// A clear answer to another call with the name has struck it from the ledger.
			harness.EnterAgain(d, requests[i])
		}
	}
	for _, err := range errs {
		attempt.MustBeAnswered(err)
	}
	return answers
}

// Finish repeats the calls that were refused with a transient status, ABORTED among them, as a CO does, and returns the
// answers to all calls once each call has one to judge. If as many volumes were created as fit, and the driver still
// answers the other calls with such a status, these calls count as answered: the driver does not create their volumes.
func Finish(ctx context.Context, d *harness.Driver, requests []*csi.CreateVolumeRequest, answers []Answer, fit int) []Answer {
	finished := slices.Clone(answers)
	var unfinished []error
	for i, answer := range finished {
		if statuses.MayPass(answer.Code) {
			response, err := d.Controller.CreateVolume(attempt.Tolerant(ctx), requests[i])
			finished[i] = AnswerOf(requests[i], response, err)
			unfinished = append(unfinished, err)
		}
	}
	created := 0
	for _, answer := range finished {
		if answer.Code == codes.OK {
			created++
		}
	}
	for _, err := range unfinished {
		if created < fit || !attempt.AsksAgain(err) {
			attempt.MustBeAnswered(err)
		}
	}
	return finished
}
