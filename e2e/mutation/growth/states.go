// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func onlyUnpublished(code codes.Code) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		if published(ctx, right, r.GetVolumeId()) {
			return nil, status.Error(code, "the volume is published: unpublish it first")
		}
		return right.ControllerExpandVolume(ctx, r)
	})
}

// onlyOnOneNode makes a driver that refuses with the code to grow a volume that is published to several nodes.
func onlyOnOneNode(code codes.Code) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		volume, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
		if err == nil && len(volume.GetStatus().GetPublishedNodeIds()) > 1 {
			return nil, status.Error(code, "the volume is published to several nodes: unpublish it from all but one first")
		}
		return right.ControllerExpandVolume(ctx, r)
	})
}

// shrinksBlock makes a driver that answers a request for a size between a block volume's first and current size as if the
// volume had that size.
func shrinksBlock() mutation.Fault {
	var created sync.Map // bytes by volume_id
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		created.LoadOrStore(v.GetVolumeId(), v.GetCapacityBytes())
	}).And(mutation.Answering(func(r *expandRequest, response *expandResponse) {
		first, found := created.Load(r.GetVolumeId())
		asked := r.GetCapacityRange().GetRequiredBytes()
		if found && r.GetVolumeCapability().GetBlock() != nil && first.(int64) < asked && asked < response.GetCapacityBytes() {
			response.CapacityBytes = asked
		}
	}))
}

func refusesRepeats() mutation.Fault {
	return mutation.Again((*expandRequest).GetVolumeId, mutation.RefusingSome(codes.Internal, "the volume has that size", func(r *expandRequest) bool {
		return r.GetCapacityRange().GetRequiredBytes() == grown
	}))
}

// cutShort reports whether this call or an earlier one for the volume was given up. It waits for that if the caller's
// deadline is short.
func cutShort(ctx context.Context, stuck *sync.Map, id string) bool {
	const patience = 200 * time.Millisecond // shorter than the suite waits for a refusal
	if deadline, found := ctx.Deadline(); found && time.Until(deadline) < patience {
		<-ctx.Done()
		stuck.Store(id, true)
	}
	_, found := stuck.Load(id)
	return found
}

// isStuck makes a driver that answers INTERNAL for a volume once a call for it was given up: from then on, or only once if
// it recovers.
func isStuck(recovers bool) mutation.Fault {
	var stuck sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		if !cutShort(ctx, &stuck, r.GetVolumeId()) {
			return right.ControllerExpandVolume(ctx, r)
		}
		if ctx.Err() == nil && recovers {
			stuck.Delete(r.GetVolumeId())
		}
		return nil, status.Error(codes.Internal, "the volume is being modified")
	})
}

func takesOnRepeat() mutation.Fault {
	var extra atomic.Int64
	return mutation.Again((*expandRequest).GetVolumeId, mutation.OnOK(func(*expandRequest) { extra.Add(size) })).
		And(capacityLess(&extra)).And(onDeletion(func() { extra.Store(0) }))
}

func staysGrown() mutation.Fault {
	var refused sync.Map
	return whenTooMuch(func(_ context.Context, _ mutation.Right, r *expandRequest, err error) (*expandResponse, error) {
		refused.Store(r.GetVolumeId(), r.GetCapacityRange().GetRequiredBytes())
		return nil, err
	}).And(mutation.Describing(func(v *csi.Volume) {
		if bytes, found := refused.Load(v.GetVolumeId()); found {
			v.CapacityBytes = bytes.(int64)
		}
	}))
}

// takesWhenRefused makes a driver that takes capacity for a growth that it refuses.
func takesWhenRefused(bytes func(*expandRequest) int64) mutation.Fault {
	var extra atomic.Int64
	return whenTooMuch(func(_ context.Context, _ mutation.Right, r *expandRequest, err error) (*expandResponse, error) {
		extra.Store(bytes(r))
		return nil, err
	}).And(capacityLess(&extra)).And(onDeletion(func() { extra.Store(0) }))
}

func capacityLess(extra *atomic.Int64) mutation.Fault {
	return mutation.Answering(func(_ *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
		response.AvailableCapacity -= extra.Load()
	})
}

func onDeletion(do func()) mutation.Fault {
	return mutation.Asking(func(_ *csi.DeleteVolumeRequest) { do() })
}

// account makes a driver that changes the capacity of each segment by the growths of some volumes.
func account(of func(*csi.Volume) bool, change func(growth int64, in *csi.Topology) int64) mutation.Fault {
	var mu sync.Mutex
	var grew int64
	return mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		before, _ := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
		response, err := right.ControllerExpandVolume(context.WithoutCancel(ctx), r) // it cannot be cut short, and so counts once
		if err == nil && of(before.GetVolume()) {
			grew += response.GetCapacityBytes() - before.GetVolume().GetCapacityBytes()
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		response, err := right.GetCapacity(ctx, r)
		if err == nil && grew > 0 {
			response.AvailableCapacity += change(grew, r.GetAccessibleTopology())
		}
		return response, err
	})).And(onDeletion(func() {
		mu.Lock()
		defer mu.Unlock()
		grew = 0
	}))
}

func always(*csi.Volume) bool { return true }

func ifZone(in *csi.Topology, name string, bytes int64) int64 {
	if mutation.ZoneOf(in) == name {
		return bytes
	}
	return 0
}

// createdIn makes a driver that names the volume's pool in volume_context.
func createdIn(pool string) mutation.Fault {
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		v.VolumeContext = map[string]string{"pool": pool}
	}).And(mutation.WithoutContext())
}
