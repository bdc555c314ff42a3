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

// losing returns drivers whose records are wrong once two calls have written them concurrently.
func losing() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"the larger of two growths at once is lost":                    mutation.Wide(losesGrowth(), mutation.Fails("history_of_size", "CE-13")),
		"of two stagings at once, the second is OK and stages nothing": mutation.Wide(stagesFirst(), mutation.Fails(volumesAtOnce, "NS-20")),
		"of two publications at once at two paths, the second is OK and publishes nothing": mutation.Wide(publishesOne(),
			mutation.Fails("history_of_target history_of_targets", "NS-20")),
		"of two snapshots of a volume at once, the second is the first":          mutation.Wide(takesFirst(), mutation.Fails(volumesAtOnce, "SN-06")),
		"the room of a volume that is deleted twice at once is given back twice": mutation.Wide(givesBackTwice(), mutation.Fails("history_of_pool", "TR-08")),
	}
}

// losesGrowth makes a driver that reads the size of a volume, and writes it when the volume has grown: of two concurrent
// growths, the smaller one is written last.
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

// stagesFirst makes a driver that mistakes the second of two concurrent stagings for the first.
func stagesFirst() mutation.Fault {
	var calls meeting[bool]
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		if _, came := calls.meet("", true); came == second {
			return &csi.NodeStageVolumeResponse{}, nil
		}
		return right.NodeStageVolume(ctx, r)
	})
}

// publishesOne makes a driver that has one publication of a volume in flight, and returns its result to another call for
// the volume, with any path.
func publishesOne() mutation.Fault {
	var calls meeting[string]
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		if _, came := calls.meetIf(r.GetVolumeId(), r.GetTargetPath(), func(other string) bool { return other != r.GetTargetPath() }); came == second {
			return &csi.NodePublishVolumeResponse{}, nil
		}
		return right.NodePublishVolume(ctx, r)
	})
}

// takesFirst makes a driver that returns the volume's snapshot in progress without checking the name.
func takesFirst() mutation.Fault {
	var calls meeting[string]
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		if theirs, came := calls.meet(r.GetSourceVolumeId(), r.GetName()); came == second {
			r.Name = theirs
		}
		return right.CreateSnapshot(ctx, r)
	})
}

// givesBackTwice makes a driver that returns the room of a volume once for each of two concurrent deletions. Volumes that
// then do not fit are created in another segment.
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
