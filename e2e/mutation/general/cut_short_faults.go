// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfCallsCutShort returns drivers that are confused by calls that were given up.
func wrongOfCallsCutShort() map[string]mutation.Expectation {
	const all = "volume_cut_short publication_cut_short staging_cut_short node_publication_cut_short"
	return map[string]mutation.Expectation{
		"creates another volume when a call is repeated": mutation.Wrong(
			afterCut(func(ctx context.Context, driver right, call mutation.Call) (proto.Message, error) {
				if r, creates := call.Request.(*csi.CreateVolumeRequest); creates {
					lost := proto.CloneOf(r)
					lost.Name += "-lost"
					_, _ = driver.CreateVolume(ctx, lost)
				}
				return call.Perform(ctx)
			}), mutation.Warns("volume_cut_short", "CV-07")),
		"answers another volume each time a call is repeated": mutation.Wrong(
			afterCut(func(ctx context.Context, _ right, call mutation.Call) (proto.Message, error) {
				if r, creates := call.Request.(*csi.CreateVolumeRequest); creates {
					other := proto.CloneOf(r)
					other.Name = fmt.Sprintf("%s-%d", r.GetName(), time.Now().UnixNano())
					call = call.With(other)
				}
				return call.Perform(ctx)
			}), mutation.Fails("volume_cut_short", "CV-03")),
		"does not go on with what was cut short, and says OK": mutation.Wrong(
			afterCut(func(_ context.Context, _ right, call mutation.Call) (proto.Message, error) {
				return nothingDone(call.Request), nil
			}), mutation.Fails("volume_cut_short", "CV-02"), mutation.Warns("publication_cut_short", "CP-04"),
			mutation.Fails("staging_cut_short", "NS-04"), mutation.Fails("node_publication_cut_short", "NS-13")),
		"undoes nothing of what was cut short, and says OK": mutation.Wrong(
			afterCut(func(ctx context.Context, _ right, call mutation.Call) (proto.Message, error) {
				if isUndoing(call.Request) {
					return nothingDone(call.Request), nil
				}
				return call.Perform(ctx)
			}), mutation.Errs("publication_cut_short"), mutation.Fails("staging_cut_short", "NS-06"),
			mutation.Fails("node_publication_cut_short", "NS-29")),
		"does not find what it was told to undo": mutation.Wrong(
			afterCut(func(ctx context.Context, _ right, call mutation.Call) (proto.Message, error) {
				if isUndoing(call.Request) {
					return nil, status.Error(codes.NotFound, "it is gone")
				}
				return call.Perform(ctx)
			}), mutation.Fails("publication_cut_short", "CU-05"), mutation.Fails("staging_cut_short", "NS-09"),
			mutation.Fails("node_publication_cut_short", "NS-16")),
		"refuses what was cut short once": mutation.Wrong(refusesOnce(), mutation.Warns(all, "GEN-02")),
		"leaves what was cut short pending": mutation.ExpectWide(mutation.Driver{
			Fault: afterCut(func(context.Context, right, mutation.Call) (proto.Message, error) {
				return nil, status.Error(codes.Aborted, "an operation is pending")
			}),
			Target: mutation.Hurry,
		}, mutation.Fails("publication_cut_short", "CP-04"), mutation.Fails("staging_cut_short", "NS-04"),
			mutation.Fails("node_publication_cut_short", "NS-13")).Seen("aws-fsx-csi-driver issue 369, ceph-csi issue 1062"),
	}
}

// afterCut makes a driver that handles a repeated call with handle if it did not answer the first one in time.
func afterCut(handle func(ctx context.Context, driver right, call mutation.Call) (proto.Message, error)) mutation.Fault {
	cut := &requests{seen: map[string]bool{}}
	return mutation.OnAll(func(ctx context.Context, driver right, call mutation.Call) (proto.Message, error) {
		const short = 5 * time.Millisecond
		if deadline, limited := ctx.Deadline(); limited && time.Until(deadline) < short && (isDoing(call.Request) || isUndoing(call.Request)) {
			<-ctx.Done()
			cut.add(call.Request)
			return nil, status.FromContextError(ctx.Err()).Err()
		}
		if cut.has(call.Request) {
			return handle(ctx, driver, call)
		}
		return call.Perform(ctx)
	})
}

func refusesOnce() mutation.Fault {
	counts := &pending{calls: map[string]int{}}
	return afterCut(func(ctx context.Context, _ right, call mutation.Call) (proto.Message, error) {
		if counts.count(call.Request) == 1 {
			return nil, status.Error(codes.Internal, "an operation is pending")
		}
		return call.Perform(ctx)
	})
}

// requests is a set of requests that a driver got.
type requests struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (r *requests) add(request proto.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[fmt.Sprintf("%T %v", request, request)] = true
}

func (r *requests) has(request proto.Message) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen[fmt.Sprintf("%T %v", request, request)]
}

func isDoing(request proto.Message) bool {
	switch request.(type) {
	case *csi.CreateVolumeRequest, *csi.ControllerPublishVolumeRequest, *csi.NodeStageVolumeRequest, *csi.NodePublishVolumeRequest:
		return true
	default:
		return false
	}
}

func isUndoing(request proto.Message) bool {
	switch request.(type) {
	case *csi.DeleteVolumeRequest, *csi.ControllerUnpublishVolumeRequest, *csi.NodeUnstageVolumeRequest, *csi.NodeUnpublishVolumeRequest:
		return true
	default:
		return false
	}
}

// nothingDone returns the answer of a driver that has done nothing.
func nothingDone(request proto.Message) proto.Message {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "memory-01a20180-0000-7000-8000-000000000000", CapacityBytes: r.GetCapacityRange().GetRequiredBytes(),
			AccessibleTopology: r.GetAccessibilityRequirements().GetRequisite()}}
	case *csi.DeleteVolumeRequest:
		return &csi.DeleteVolumeResponse{}
	case *csi.ControllerPublishVolumeRequest:
		return &csi.ControllerPublishVolumeResponse{}
	case *csi.ControllerUnpublishVolumeRequest:
		return &csi.ControllerUnpublishVolumeResponse{}
	case *csi.NodeStageVolumeRequest:
		return &csi.NodeStageVolumeResponse{}
	case *csi.NodeUnstageVolumeRequest:
		return &csi.NodeUnstageVolumeResponse{}
	case *csi.NodePublishVolumeRequest:
		return &csi.NodePublishVolumeResponse{}
	case *csi.NodeUnpublishVolumeRequest:
		return &csi.NodeUnpublishVolumeResponse{}
	default:
		return nil
	}
}
