// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// CreateVolumesAtOnce makes all the calls at the same time, and returns their answers in the order of the requests once
// all have ended. What a failed call left behind is not looked for: the others change the driver as well.
func (d *Driver) CreateVolumesAtOnce(ctx context.Context, requests ...*csi.CreateVolumeRequest) []Answer {
	answers := make([]Answer, len(requests))
	together := make(chan struct{})
	errs := make([]error, len(requests))
	var calls sync.WaitGroup
	for i, request := range requests {
		calls.Go(func() {
			<-together
			response, err := d.Controller.CreateVolume(Once(Tolerant(ctx)), request)
			errs[i] = err
			answers[i] = AnswerOf(request, response, err)
		})
	}
	close(together)
	calls.Wait()
	for i, answer := range answers {
		made := slices.ContainsFunc(answers, func(a Answer) bool { return a.Name == answer.Name && a.Code == codes.OK })
		if leavesOpen(answer.Code) && !made {
			// A clear answer to another call of the name has struck it from the ledger.
			d.ledger.sent(requests[i])
		}
	}
	for _, err := range errs {
		mustBeAnswered(err)
	}
	return answers
}

// FinishVolumes repeats the calls that were refused by what may pass, ABORTED among them, as a CO does, and returns the answers to
// all calls once each has one to judge. Where as many volumes were created as fit, a driver that goes on asking for the
// repetition of the others has answered them: it refuses none of them.
func (d *Driver) FinishVolumes(ctx context.Context, requests []*csi.CreateVolumeRequest, answers []Answer, fit int) []Answer {
	finished := slices.Clone(answers)
	var unfinished []error
	for i, answer := range finished {
		if MayPass(answer.Code) {
			response, err := d.Controller.CreateVolume(Tolerant(ctx), requests[i])
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
		if created < fit || !asksAgain(err) {
			mustBeAnswered(err)
		}
	}
	return finished
}

// AnswerOf is the answer of one call.
func AnswerOf(request *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) Answer {
	answer := Answer{Name: request.GetName()}
	if err != nil {
		failed := status.Convert(err)
		answer.Code, answer.Message, answer.Details = failed.Code(), failed.Message(), len(failed.Details())
		return answer
	}
	volume := response.GetVolume()
	answer.Code, answer.Volume, answer.VolumeID, answer.Context = codes.OK, volume, volume.GetVolumeId(), volume.GetVolumeContext()
	answer.Segments = Segments(volume.GetAccessibleTopology())
	return answer
}
