// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// losing are drivers whose books are wrong once two calls have written them at once.
func losing() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"the larger of two growths at once is lost":                              mutation.Wide(losesGrowth(), mutation.Fails("history_of_size", "CE-13")),
		"the room of a volume that is deleted twice at once is given back twice": mutation.Wide(givesBackTwice(), mutation.Fails("history_of_pool", "TR-08")),
	}
}

// losesGrowth makes a driver that reads the size of a volume, and writes it when it has grown: of two growths at once, the smaller one
// is written last.
func losesGrowth() mutation.Fault {
	var calls meeting[int64]
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
		asked := r.GetCapacityRange().GetRequiredBytes()
		theirs, came := calls.meet(r.GetVolumeId(), asked)
		lost := came != alone && theirs < asked
		if lost {
			r.CapacityRange.RequiredBytes = theirs
		}
		response, err := right.ControllerExpandVolume(ctx, r)
		if err == nil && lost {
			response.CapacityBytes = asked
		}
		return response, err
	})
}

// givesBackTwice makes a driver that counts the room of a volume once for each of two deletions at once. What does not fit then, it
// makes where there is room.
func givesBackTwice() mutation.Fault {
	var (
		calls meeting[bool]
		mu    sync.Mutex
		ghost int // volumes for which there is no room
	)
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if _, came := calls.meet(r.GetVolumeId(), true); came == second {
			mu.Lock()
			ghost++
			mu.Unlock()
		}
		return right.DeleteVolume(ctx, r)
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		mu.Lock()
		defer mu.Unlock()
		if status.Code(err) != codes.ResourceExhausted || ghost == 0 {
			return response, err
		}
		ghost--
		elsewhere := proto.CloneOf(r)
		elsewhere.AccessibilityRequirements = nil
		response, err = right.CreateVolume(ctx, elsewhere)
		if err == nil {
			response.Volume.AccessibleTopology = r.GetAccessibilityRequirements().GetRequisite()
		}
		return response, err
	}))
}
