// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faults are drivers that are wrong in one way each.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"does not implement what it claims": refusing(codes.Unimplemented, func(*csi.GetCapacityRequest) bool { return true }),
		"refuses to be asked for nothing in particular": refusing(codes.InvalidArgument, func(r *csi.GetCapacityRequest) bool {
			return r.GetAccessibleTopology() == nil && len(r.GetParameters()) == 0
		}),
		"ignores accessible_topology": asking(func(r *csi.GetCapacityRequest) { r.AccessibleTopology = nil }),
		"ignores parameters":          asking(func(r *csi.GetCapacityRequest) { r.Parameters = nil }),
		"ignores volume_capabilities": asking(func(r *csi.GetCapacityRequest) { r.VolumeCapabilities = nil }),
		"looks at one capability only": asking(func(r *csi.GetCapacityRequest) {
			r.VolumeCapabilities = r.VolumeCapabilities[:min(1, len(r.VolumeCapabilities))]
		}),
		"NOT_FOUND for a topology that it does not have": refusing(codes.NotFound, func(r *csi.GetCapacityRequest) bool {
			return r.GetAccessibleTopology() != nil && !slices.Contains([]string{"Z2", "Z3", "Z4", "Z5"}, zoneOf(r.GetAccessibleTopology()))
		}),
		"refuses what external-provisioner leaves in parameters": refusing(codes.InvalidArgument, func(r *csi.GetCapacityRequest) bool {
			_, found := r.GetParameters()["csi.storage.k8s.io/fstype"]
			return found
		}),
		"returns 0 without a topology": answering(func(r *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			if r.GetAccessibleTopology() == nil {
				told.AvailableCapacity = 0
			}
		}),
		"returns 0 for any capabilities": answering(func(r *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			if len(r.GetVolumeCapabilities()) > 0 {
				told.AvailableCapacity = 0
			}
		}),
		"returns 0 for two zones": answering(func(r *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			if forTwoZones(r) {
				told.AvailableCapacity = 0
			}
		}),
		"returns the room of one zone as the maximum for two": maximumOfOne(),
		"returns negative sizes for two zones": answering(func(r *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			if forTwoZones(r) {
				told.MaximumVolumeSize, told.MinimumVolumeSize = wrapperspb.Int64(-1), wrapperspb.Int64(-1)
			}
		}),
		"returns a little more each time": drifts(),
		"reports total instead of available": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			told.AvailableCapacity, told.MaximumVolumeSize = 1<<30, wrapperspb.Int64(mutation.LargestVolume)
		}),
		"an error instead of zero": telling(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
			response, err := right.GetCapacity(ctx, r)
			if err == nil && response.GetAvailableCapacity() == 0 {
				return nil, status.Error(codes.ResourceExhausted, "there is no room")
			}
			return response, err
		}),
		"its maximum stays when it is full": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			told.MaximumVolumeSize = wrapperspb.Int64(mutation.LargestVolume)
		}),
		"its maximum is a byte too large": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			if told.GetMaximumVolumeSize().GetValue() > 0 {
				told.MaximumVolumeSize.Value++
			}
		}),
		"its maximum is a byte too small": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			if told.GetMaximumVolumeSize().GetValue() > 0 {
				told.MaximumVolumeSize.Value--
			}
		}),
		"does not tell its maximum": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) { told.MaximumVolumeSize = nil }),
		"does not tell its minimum": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) { told.MinimumVolumeSize = nil }),
		"returns a minimum of 0": answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
			told.MinimumVolumeSize = wrapperspb.Int64(0)
		}),
		"returns too small a minimum":              answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) { told.MinimumVolumeSize.Value-- }),
		"returns too large a minimum":              answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) { told.MinimumVolumeSize.Value++ }),
		"INVALID_ARGUMENT instead of OUT_OF_RANGE": saying(codes.OutOfRange, codes.InvalidArgument),
		"capacity never changes":                   remembers(),
		"capacity does not return":                 keepsCapacity(),
		"capacity returns elsewhere":               returnsElsewhere(),
		"capacity returns twice":                   returnsTwice(),
		"counts a volume of two segments in one":   countsOneSegment(),
		"counts every call of a name":              countsEveryCall(),
		"counts refused volumes":                   countsRefusals(),
		"goes negative after growth":               growsBeyond(),
	}
}

// drifts is a driver that never answers twice the same.
func drifts() mutation.Fault {
	var more atomic.Int64
	return answering(func(_ *csi.GetCapacityRequest, told *csi.GetCapacityResponse) {
		told.AvailableCapacity += more.Add(1)
	})
}

// remembers is a driver that tells what it told first.
func remembers() mutation.Fault {
	var mu sync.Mutex
	first := map[string]*csi.GetCapacityResponse{}
	return telling(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if told, found := first[r.String()]; found {
			return told, nil
		}
		response, err := right.GetCapacity(ctx, r)
		first[r.String()] = response
		return response, err
	})
}

// keepsCapacity is a driver that does not give back what a deleted volume had, but for volumes so large that nothing
// would be left for the cases that follow.
func keepsCapacity() mutation.Fault {
	const large = 100 << 20
	taken, volumes := books{}, map[string]*csi.Volume{}
	return taken.wrong().And(created(func(_ *csi.CreateVolumeRequest, v *csi.Volume, _ error) {
		volumes[v.GetVolumeId()] = v
	})).And(deleted(func(id string) {
		if v := volumes[id]; v.GetCapacityBytes() < large {
			taken.enter(v, v.GetCapacityBytes())
		}
		delete(volumes, id)
	}))
}

// returnsElsewhere is a driver that gives what a deleted volume had to Z3.
func returnsElsewhere() mutation.Fault {
	taken := books{}
	return taken.wrong().And(deleted(func(string) { taken["Z3"]-- }))
}

// returnsTwice is a driver that gives back what a volume had with each call that deletes it.
func returnsTwice() mutation.Fault {
	taken, volumes := books{}, map[string]*csi.Volume{}
	gone := map[string]bool{}
	return taken.wrong().And(created(func(_ *csi.CreateVolumeRequest, v *csi.Volume, _ error) {
		volumes[v.GetVolumeId()] = v
	})).And(deleted(func(id string) {
		if v := volumes[id]; gone[id] {
			taken.enter(v, -v.GetCapacityBytes())
		}
		gone[id] = true
	}))
}

// counting is a driver that counts more, or less, for some volumes as long as they are there.
func counting(more func(*csi.CreateVolumeRequest, *csi.Volume) int64, in func(*csi.Volume) []*csi.Topology) mutation.Fault {
	taken, undo := books{}, map[string]func(){}
	return taken.wrong().And(created(func(r *csi.CreateVolumeRequest, v *csi.Volume, err error) {
		if err != nil {
			return
		}
		before, bytes := undo[v.GetVolumeId()], more(r, v)
		counted := &csi.Volume{AccessibleTopology: in(v)}
		taken.enter(counted, bytes)
		undo[v.GetVolumeId()] = func() {
			taken.enter(counted, -bytes)
			if before != nil {
				before()
			}
		}
	})).And(deleted(func(id string) {
		if back := undo[id]; back != nil {
			back()
		}
		delete(undo, id)
	}))
}

func countsOneSegment() mutation.Fault {
	return counting(func(_ *csi.CreateVolumeRequest, v *csi.Volume) int64 {
		return -v.GetCapacityBytes()
	}, func(v *csi.Volume) []*csi.Topology { return v.GetAccessibleTopology()[1:] })
}

func countsEveryCall() mutation.Fault {
	named := map[string]bool{}
	return counting(func(r *csi.CreateVolumeRequest, v *csi.Volume) int64 {
		if !named[r.GetName()] {
			named[r.GetName()] = true
			return 0
		}
		return v.GetCapacityBytes()
	}, (*csi.Volume).GetAccessibleTopology)
}

func countsRefusals() mutation.Fault {
	taken := books{}
	return taken.wrong().And(created(func(r *csi.CreateVolumeRequest, _ *csi.Volume, err error) {
		if requisite := r.GetAccessibilityRequirements().GetRequisite(); err != nil {
			taken.enter(&csi.Volume{AccessibleTopology: requisite}, 1)
		}
	}))
}

// growsBeyond is a driver that lets a volume grow whatever room there is, and subtracts.
func growsBeyond() mutation.Fault {
	taken, beyond := books{}, map[string]int64{}
	return taken.wrong().And(expanded(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse, err error) (*csi.ControllerExpandVolumeResponse, error) {
		if status.Code(err) != codes.ResourceExhausted {
			return response, err
		}
		beyond[r.GetVolumeId()]++
		taken["Z2"]++
		return &csi.ControllerExpandVolumeResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, nil
	})).And(deleted(func(id string) {
		taken["Z2"] -= beyond[id]
		delete(beyond, id)
	}))
}
