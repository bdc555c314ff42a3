package harness

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// CreateVolumesAtOnce makes all the calls at the same time, and returns their answers in the order of the requests once
// all have ended. What a failed call left behind is not looked for: the others change the driver as well.
func (d *Driver) CreateVolumesAtOnce(ctx context.Context, requests ...*csi.CreateVolumeRequest) []Answer {
	answers := make([]Answer, len(requests))
	together := make(chan struct{})
	var calls sync.WaitGroup
	for i, request := range requests {
		calls.Go(func() {
			<-together
			response, err := d.Controller.CreateVolume(Tolerant(ctx), request)
			answers[i] = answerOf(request, response, err)
		})
	}
	begin := time.Now()
	close(together)
	calls.Wait()
	late := ctx.Err() != nil || time.Since(begin) >= d.target.Timeouts.Provision
	for i, answer := range answers {
		made := slices.ContainsFunc(answers, func(a Answer) bool { return a.Name == answer.Name && a.Code == codes.OK })
		if leavesOpen(answer.Code) && !made {
			// A clear answer to another call of the name has struck it from the ledger.
			d.ledger.sent(requests[i])
		}
	}
	for _, answer := range answers {
		ended := answer.Code == codes.Canceled || answer.Code == codes.DeadlineExceeded
		if answer.Code == codes.Unavailable || late && ended {
			verdict.CouldNotTell("CreateVolume of %s, one of %d calls at the same time, did not get an answer to judge: %s", answer.Name, len(requests), answer)
		}
	}
	return answers
}

// answerOf is the answer of one call.
func answerOf(request *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) Answer {
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
