// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfCallsAtOnce returns drivers that concurrent calls confuse.
func wrongOfCallsAtOnce() map[string]mutation.Expectation {
	const all = "concurrent_creation concurrent_deletion concurrent_publication concurrent_staging"
	return map[string]mutation.Expectation{
		"creates a volume by each call": mutation.Wide(makesOneOfEach(),
			mutation.Fails("concurrent_creation volume_cut_short", "CV-03")),
		"creates a volume by each of the calls at once": mutation.Wide(makesOneOfEachAtOnce(),
			mutation.Warns("concurrent_creation", "CV-07")),
		"is in two places for calls at once": mutation.Wide(
			answersAtOnce(func(v *csi.Volume) { v.GetAccessibleTopology()[0].Segments["topology.hostpath.topo.csi/zone"] = "Z9" }),
			mutation.Fails("concurrent_creation", "CV-03")),
		"has a volume_context for each of the calls at once": mutation.Wide(
			answersAtOnce(func(v *csi.Volume) { v.VolumeContext = map[string]string{"second": "true"} }),
			mutation.Fails("concurrent_creation", "VOL-12")),
		"has a publish_context for each call": mutation.Wide(contextOfEach(),
			mutation.Fails("concurrent_publication publication_cut_short", "CP-22")),
		"lists a node for each call that publishes to it": mutation.Wide(
			mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
				response.Status.PublishedNodeIds = append(response.Status.PublishedNodeIds, response.Status.PublishedNodeIds...)
			}), mutation.Warns("concurrent_publication publication_cut_short", "CP-04")),
		"unstages what one of the calls staged": mutation.Wide(stacksStagings(),
			mutation.Fails("concurrent_staging", "NS-06")),
		"says that a volume is deleted, and keeps it": mutation.Wide(
			mutation.Instead(func(*csi.DeleteVolumeRequest) *csi.DeleteVolumeResponse { return &csi.DeleteVolumeResponse{} }),
			mutation.Warns("concurrent_deletion", "CV-07 DV-01")),
		"aborts all calls at once but one": mutation.Wide(secondCalls(status.Error(codes.Aborted, "another call is pending")),
			mutation.Passes(all)),
		"tells all calls at once but one that it is not available": mutation.Wide(
			secondCalls(status.Error(codes.Unavailable, "the array is busy")), mutation.Passes(all)),
		"lets all calls at once but one run into a deadline of its own": mutation.Wide(
			secondCalls(status.Error(codes.DeadlineExceeded, "the array took too long")), mutation.Passes(all)),
		"aborts without a message": mutation.Wide(secondCalls(status.Error(codes.Aborted, "")),
			mutation.Fails(all, "GEN-15")),
		"fails when another call is pending": mutation.Wide(secondCalls(status.Error(codes.Internal, "locked")),
			mutation.Warns(all, "GEN-02")),
		"fails without a status when another call is pending": mutation.Wide(
			secondCalls(status.Error(codes.Unknown, "locked")), mutation.Warns(all, "GEN-02 GEN-09")),
		"stays locked once calls were pending at once": mutation.ExpectWide(mutation.Driver{Fault: counting(func(call int) error {
			if call > callsAtOnce {
				return status.Error(codes.Aborted, "another call is pending")
			}
			return nil
		}), Target: mutation.Hurry}, mutation.Fails("concurrent_creation", "CV-02"),
			mutation.Fails("concurrent_deletion", "DV-01"), mutation.Fails("concurrent_publication", "CP-04"),
			mutation.Fails("concurrent_staging", "NS-04")),
		"INTERNAL for what one of the calls at once has staged": mutation.Wide(refusesStaged(),
			mutation.Fails("concurrent_staging", "NS-04")),
		"unlocks late once calls were pending at once": mutation.Wide(counting(func(call int) error {
			if callsAtOnce < call && call < 2*callsAtOnce {
				return status.Error(codes.Aborted, "another call is pending")
			}
			return nil
		}), mutation.Passes(all)),
	}
}

// contextOfEach makes a driver whose publish_context has an id of the request, which its nodes ignore.
func contextOfEach() mutation.Fault {
	var calls atomic.Int64
	return mutation.Answering(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
		response.PublishContext = map[string]string{"request": fmt.Sprint(calls.Add(1))}
	})
}

// stacksStagings makes a driver that needs as many calls of NodeUnstageVolume as of NodeStageVolume.
func stacksStagings() mutation.Fault {
	var stagings atomic.Int64
	return mutation.OnOK(func(*csi.NodeStageVolumeRequest) { stagings.Add(1) }).And(mutation.On(func(ctx context.Context, driver right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
		if stagings.Add(-1) > 0 {
			return &csi.NodeUnstageVolumeResponse{}, nil
		}
		stagings.Store(0)
		return driver.NodeUnstageVolume(ctx, r)
	}))
}

// makesOneOfEachAtOnce makes a driver that looks for a name before it has locked it.
func makesOneOfEachAtOnce() mutation.Fault {
	seen := &pending{calls: map[string]int{}}
	return mutation.Asking(func(r *csi.CreateVolumeRequest) {
		if call := seen.count(r); 1 < call && call <= callsAtOnce {
			r.Name = fmt.Sprintf("%s-%d", r.GetName(), call)
		}
	})
}

// makesOneOfEach makes a driver that does not look for the name of a volume.
func makesOneOfEach() mutation.Fault {
	var calls atomic.Int64
	return mutation.Asking(func(r *csi.CreateVolumeRequest) {
		if r.GetName() != "" {
			r.Name = fmt.Sprintf("%s-%d", r.GetName(), calls.Add(1))
		}
	})
}

// answersAtOnce makes a driver that describes a volume differently to every concurrent call but the first.
func answersAtOnce(change func(*csi.Volume)) mutation.Fault {
	seen := &pending{calls: map[string]int{}}
	return mutation.On(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		call := seen.count(r)
		response, err := driver.CreateVolume(ctx, r)
		if err == nil && 1 < call && call <= callsAtOnce {
			change(response.GetVolume())
		}
		return response, err
	})
}

// pending counts, for each of some requests, the calls that were made with it.
type pending struct {
	mu    sync.Mutex
	calls map[string]int
}

func (p *pending) count(request proto.Message) int {
	key := fmt.Sprintf("%T %v", request, request)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[key]++
	return p.calls[key]
}

// secondCalls makes a driver that refuses the concurrent calls, except the first.
func secondCalls(refusal error) mutation.Fault {
	return counting(func(call int) error {
		if 1 < call && call <= callsAtOnce {
			return refusal
		}
		return nil
	})
}

// refusesStaged makes a driver that aborts all concurrent calls of NodeStageVolume but one, and then finds that the volume
// is staged.
func refusesStaged() mutation.Fault {
	seen := &pending{calls: map[string]int{}}
	return mutation.Checking(func(r *csi.NodeStageVolumeRequest) error {
		switch call := seen.count(r); {
		case call == 1:
			return nil
		case call <= callsAtOnce:
			return status.Error(codes.Aborted, "another call is pending")
		default:
			return status.Error(codes.Internal, "already mounted")
		}
	})
}

// callsAtOnce is the number of concurrent calls that the cases make.
const callsAtOnce = 4

// counting makes a driver that refuses calls by the number of earlier calls with the same request.
func counting(refuse func(call int) error) mutation.Fault {
	seen := &pending{calls: map[string]int{}}
	return mutation.Checking(func(r *csi.CreateVolumeRequest) error { return refuse(seen.count(r)) }).
		And(mutation.Checking(func(r *csi.DeleteVolumeRequest) error { return refuse(seen.count(r)) })).
		And(mutation.Checking(func(r *csi.ControllerPublishVolumeRequest) error { return refuse(seen.count(r)) })).
		And(mutation.Checking(func(r *csi.NodeStageVolumeRequest) error { return refuse(seen.count(r)) }))
}
