package generated_test

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// unit is the size of the profile's volumes.
const unit = 16 << 20

// expectation is what the case says of a driver that is wrong.
type expectation struct {
	fault func() spectest.Fault
	// steps is how many the shortest sequence has, and says what the failure says besides.
	steps int
	says  []string
}

// faults are drivers that only sequences find.
var faults = map[string]expectation{
	"a failed growth leaves what it took": {func() spectest.Fault {
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			if status.Code(err) == codes.ResourceExhausted {
				waste(ctx, right)
			}
			return response, err
		})
	}, 2, []string{"(CAP-07)", "1. CreateVolume", "2. ControllerExpandVolume", "answered: RESOURCE_EXHAUSTED"}},

	"a repeated name is booked twice": {func() spectest.Fault {
		made := map[string]bool{}
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			response, err := right.CreateVolume(ctx, r)
			if err == nil && made[r.GetName()] {
				waste(ctx, right)
			}
			made[r.GetName()] = made[r.GetName()] || err == nil
			return response, err
		})
	}, 2, []string{"(CAP-07)", "1. CreateVolume", "2. CreateVolume", "a volume of that name exists"}},

	"a second deletion deletes the volume that was made first": {func() spectest.Fault {
		var ids []string
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			response, err := right.CreateVolume(ctx, r)
			if id := response.GetVolume().GetVolumeId(); err == nil && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
			return response, err
		}).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			if !slices.Contains(ids, r.GetVolumeId()) && len(ids) > 0 {
				r.VolumeId = ids[0]
			}
			response, err := right.DeleteVolume(ctx, r)
			if err == nil {
				ids = slices.DeleteFunc(ids, func(id string) bool { return id == r.GetVolumeId() })
			}
			return response, err
		}))
	}, 3, []string{"(CAP-07)", "1. CreateVolume", "2. DeleteVolume", "3. DeleteVolume", "the volume is deleted already"}},

	"places outside requisite when a segment of it is full to the byte": {func() spectest.Fault {
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			response, err := right.CreateVolume(ctx, r)
			if status.Code(err) == codes.ResourceExhausted && slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), isFull(ctx, right)) {
				r.AccessibilityRequirements = nil
				return right.CreateVolume(ctx, r)
			}
			return response, err
		})
	}, 2, []string{"1. CreateVolume", "2. CreateVolume", "room in each segment:", "is forbidden"}},

	"ignores the order of three preferred for volumes of two": {func() spectest.Fault {
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(r.GetParameters()) > 0 && len(preferred) == 3 {
				slices.Reverse(preferred)
			}
			return right.CreateVolume(ctx, r)
		})
	}, 1, []string{"1. CreateVolume", "x = 2", "a better one was possible (PF-03)"}},

	"a deleted name stays taken": {func() spectest.Fault {
		names, taken := map[string]string{}, map[string]bool{}
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			if taken[r.GetName()] {
				return nil, status.Error(codes.AlreadyExists, "the name is taken")
			}
			response, err := right.CreateVolume(ctx, r)
			names[response.GetVolume().GetVolumeId()] = r.GetName()
			return response, err
		}).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			response, err := right.DeleteVolume(ctx, r)
			taken[names[r.GetVolumeId()]] = err == nil
			return response, err
		}))
	}, 3, []string{"1. CreateVolume", "2. DeleteVolume", "3. CreateVolume", "answered: ALREADY_EXISTS"}},

	"a volume that has grown is listed no more": {func() spectest.Fault {
		grown := map[string]bool{}
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			grown[r.GetVolumeId()] = err == nil
			return response, err
		}).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
			response, err := right.ListVolumes(ctx, r)
			if err != nil {
				return nil, err
			}
			response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return grown[e.GetVolume().GetVolumeId()] })
			return response, nil
		}))
	}, 3, []string{"exists and is not listed (LV-01)", "1. CreateVolume", "2. ControllerExpandVolume", "3. ListVolumes"}},

	"unpublishing from one node unpublishes from all": {func() spectest.Fault {
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
			r.NodeId = ""
			return right.ControllerUnpublishVolume(ctx, r)
		})
	}, 4, []string{"1. CreateVolume", "2. ControllerPublishVolume", "3. ControllerUnpublishVolume", "the volume is published to node"}},

	"answers INTERNAL once": {func() spectest.Fault {
		calls := 0
		return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			const wrong = 10
			if calls++; calls == wrong {
				return nil, status.Error(codes.Internal, "try again")
			}
			return right.DeleteVolume(ctx, r)
		})
	}, 0, []string{"did not fail again: the driver is not deterministic", "all that was asked:", "with seed 1\n", "answered: INTERNAL: \"try again\""}},
}

// waste takes a unit of whatever segment has it for a volume that nobody asked for.
func waste(ctx context.Context, right spectest.Right) {
	capability := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	_, _ = right.CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name:               rand.Text(),
		CapacityRange:      &csi.CapacityRange{RequiredBytes: unit},
		VolumeCapabilities: []*csi.VolumeCapability{capability},
	})
}

// isFull reports whether there is not a byte left in a topology.
func isFull(ctx context.Context, right spectest.Right) func(*csi.Topology) bool {
	return func(topology *csi.Topology) bool {
		response, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: topology})
		return err == nil && response.GetAvailableCapacity() == 0
	}
}
