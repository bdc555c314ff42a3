// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// asking makes a driver that understands another GetCapacity request than it got.
func asking(change func(*csi.GetCapacityRequest)) mutation.Fault {
	return telling(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		change(r)
		return right.GetCapacity(ctx, r)
	})
}

// answering makes a driver that tells something else than the capacity.
func answering(change func(*csi.GetCapacityRequest, *csi.GetCapacityResponse)) mutation.Fault {
	return telling(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		response, err := right.GetCapacity(ctx, r)
		if err == nil {
			change(r, response)
		}
		return response, err
	})
}

// refusing makes a driver whose GetCapacity refuses some requests.
func refusing(code codes.Code, some func(*csi.GetCapacityRequest) bool) mutation.Fault {
	return telling(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		if some(r) {
			return nil, status.Error(code, "no")
		}
		return right.GetCapacity(ctx, r)
	})
}

func telling(tell func(context.Context, mutation.Right, *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error)) mutation.Fault {
	return mutation.On(tell)
}

// books are bytes that a driver takes for taken, or for free, in the zones that they are in.
type books map[string]int64

// enter enters the bytes of the volume in all of its zones.
func (b books) enter(v *csi.Volume, bytes int64) {
	for _, topology := range v.GetAccessibleTopology() {
		b[zoneOf(topology)] += bytes
	}
}

// wrong is a driver whose available capacity is off by what its books have.
func (b books) wrong() mutation.Fault {
	return answering(func(r *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
		for _, zone := range slices.Sorted(maps.Keys(b)) {
			if r.GetAccessibleTopology() == nil || zoneOf(r.GetAccessibleTopology()) == zone {
				told.AvailableCapacity -= b[zone]
			}
		}
	})
}

// created enters what a volume is made as into the books, or does what else follows.
func created(then func(*csi.CreateVolumeRequest, *csi.Volume, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		then(r, response.GetVolume(), err)
		return response, err
	})
}

// deleted does what follows from the deletion of a volume.
func deleted(then func(volumeID string)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		response, err := right.DeleteVolume(ctx, r)
		if err == nil {
			then(r.GetVolumeId())
		}
		return response, err
	})
}

// expanded does what follows from the growth of a volume, or from its refusal, which it may turn into an answer.
func expanded(then func(*csi.ControllerExpandVolumeRequest, *csi.ControllerExpandVolumeResponse, error) (*csi.ControllerExpandVolumeResponse, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		return then(r, response, err)
	})
}

// saying makes a driver that refuses volumes with another code.
func saying(instead, other codes.Code) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if status.Code(err) == instead {
			return nil, status.Error(other, status.Convert(err).Message())
		}
		return response, err
	})
}

const zoneKey = "topology.hostpath.topo.csi/zone"

func zoneOf(topology *csi.Topology) string {
	return topology.GetSegments()[zoneKey]
}

func forTwoZones(r *csi.GetCapacityRequest) bool {
	return r.GetParameters()["zones"] == "2"
}

// maximumOfOne makes a driver whose maximum for volumes of two zones is that for volumes of one.
func maximumOfOne() mutation.Fault {
	return telling(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		response, err := right.GetCapacity(ctx, r)
		if err != nil || !forTwoZones(r) {
			return response, err
		}
		one, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: r.GetAccessibleTopology()})
		response.MaximumVolumeSize = one.GetMaximumVolumeSize()
		return response, err
	})
}
