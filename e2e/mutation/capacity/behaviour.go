// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// asking makes a driver that understands another GetCapacity request than it got.
func asking(change func(*csi.GetCapacityRequest)) mutation.Fault {
	return mutation.Asking(change)
}

// answering makes a driver that tells something else than the capacity.
func answering(change func(*csi.GetCapacityRequest, *csi.GetCapacityResponse)) mutation.Fault {
	return mutation.Answering(change)
}

// refusing makes a driver whose GetCapacity refuses some requests.
func refusing(code codes.Code, some func(*csi.GetCapacityRequest) bool) mutation.Fault {
	return mutation.RefusingSome(code, "no", func(r *csi.GetCapacityRequest) bool { return some(r) })
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
	return mutation.Ending(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
		then(r, response.GetVolume(), err)
		return response, err
	})
}

// deleted does what follows from the deletion of a volume.
func deleted(then func(volumeID string)) mutation.Fault {
	return mutation.Answering(func(r *csi.DeleteVolumeRequest, response *csi.DeleteVolumeResponse) { then(r.GetVolumeId()) })
}

// expanded does what follows from the growth of a volume, or from its refusal, which it may turn into an answer.
func expanded(then func(*csi.ControllerExpandVolumeRequest, *csi.ControllerExpandVolumeResponse, error) (*csi.ControllerExpandVolumeResponse, error)) mutation.Fault {
	return mutation.Ending(then)
}

// saying makes a driver that refuses volumes with another code.
func saying(instead, other codes.Code) mutation.Fault {
	return mutation.Recoding[*csi.CreateVolumeRequest](instead, other)
}

const zoneKey = "topology.hostpath.topo.csi/zone"

func zoneOf(topology *csi.Topology) string {
	return topology.GetSegments()[zoneKey]
}

func forTwoZones(r *csi.GetCapacityRequest) bool {
	return r.GetParameters()["zones"] == "2"
}
