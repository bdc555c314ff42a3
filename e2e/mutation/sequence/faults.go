// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unit is the size of the profile's volumes.
const unit = 16 << 20

// faultsOfVolumes are drivers that only sequences find: what they do to volumes is wrong.
func faultsOfVolumes() map[string]Sequence {
	return map[string]Sequence{
		"a failed growth leaves what it took": {func() mutation.Fault {
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
				response, err := right.ControllerExpandVolume(ctx, r)
				if status.Code(err) == codes.ResourceExhausted {
					waste(ctx, right)
				}
				return response, err
			})
		}, "CAP-07", 2},

		"a repeated name is booked twice": {func() mutation.Fault {
			made := map[string]bool{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				response, err := right.CreateVolume(ctx, r)
				if err == nil && made[r.GetName()] {
					waste(ctx, right)
				}
				made[r.GetName()] = made[r.GetName()] || err == nil
				return response, err
			})
		}, "CAP-07", 2},

		"a second deletion deletes the volume that was made first": {func() mutation.Fault {
			var ids []string
			return mutation.Ending(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
				if id := response.GetVolume().GetVolumeId(); err == nil && !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
				return response, err
			}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
				if !slices.Contains(ids, r.GetVolumeId()) && len(ids) > 0 {
					r.VolumeId = ids[0]
				}
				response, err := right.DeleteVolume(ctx, r)
				if err == nil {
					ids = slices.DeleteFunc(ids, func(id string) bool { return id == r.GetVolumeId() })
				}
				return response, err
			}))
		}, "CAP-07 VV-04 LV-01 LV-15 CREATE-06 CP-11 DV-02", 9},

		"places outside requisite when a segment of it is full to the byte": {func() mutation.Fault {
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				response, err := right.CreateVolume(ctx, r)
				if status.Code(err) == codes.ResourceExhausted && slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), isFull(ctx, right)) {
					r.AccessibilityRequirements = nil
					return right.CreateVolume(ctx, r)
				}
				return response, err
			})
		}, "TR-04 TR-06", 2},

		"ignores the order of three preferred for volumes of two": {func() mutation.Fault {
			return mutation.Asking(func(r *csi.CreateVolumeRequest) {
				if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(r.GetParameters()) > 0 && len(preferred) == 3 {
					slices.Reverse(preferred)
				}
			})
		}, "PF-03", 1},

		"a deleted name stays taken": {func() mutation.Fault {
			names, taken := map[string]string{}, map[string]bool{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				if taken[r.GetName()] {
					return nil, status.Error(codes.AlreadyExists, "the name is taken")
				}
				response, err := right.CreateVolume(ctx, r)
				names[response.GetVolume().GetVolumeId()] = r.GetName()
				return response, err
			}).And(mutation.Ending(func(r *csi.DeleteVolumeRequest, response *csi.DeleteVolumeResponse, err error) (*csi.DeleteVolumeResponse, error) {
				taken[names[r.GetVolumeId()]] = err == nil
				return response, err
			}))
		}, "CREATE-06", 4},

		"a volume that has grown is listed no more": {func() mutation.Fault {
			grown := map[string]bool{}
			return mutation.Ending(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse, err error) (*csi.ControllerExpandVolumeResponse, error) {
				grown[r.GetVolumeId()] = err == nil
				return response, err
			}).And(mutation.Ending(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse, err error) (*csi.ListVolumesResponse, error) {
				if err != nil {
					return nil, err
				}
				response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return grown[e.GetVolume().GetVolumeId()] })
				return response, nil
			}))
		}, "LV-01", 3},

		"unpublishing from one node unpublishes from all": {func() mutation.Fault {
			return mutation.Asking(func(r *csi.ControllerUnpublishVolumeRequest) { r.NodeId = "" })
		}, "CU-10", 4},

		"answers INTERNAL once": {func() mutation.Fault {
			calls := 0
			return mutation.RefusingSome(codes.Internal, "try again", func(r *csi.DeleteVolumeRequest) bool {
				const wrong = 10
				calls++
				return calls == wrong
			})
		}, "DV-01 DV-02 DV-04 DV-05", 0},

		"ignores limit_bytes": {func() mutation.Fault {
			return mutation.Asking(func(r *csi.CreateVolumeRequest) {
				if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 {
					r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + unit}
				}
			})
		}, "CR-05", 1},

		"allows no limit_bytes where there is the volume": {func() mutation.Fault {
			made := map[string]bool{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				if made[r.GetName()] && r.GetCapacityRange().GetLimitBytes() > 0 {
					return nil, status.Error(codes.OutOfRange, "there is no such size")
				}
				response, err := right.CreateVolume(ctx, r)
				made[r.GetName()] = made[r.GetName()] || err == nil
				return response, err
			})
		}, "CV-03", 2},

		"grows beyond limit_bytes": {func() mutation.Fault {
			return mutation.Asking(func(r *csi.ControllerExpandVolumeRequest) {
				if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 {
					r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + unit}
				}
			})
		}, "CR-05", 2},

		"gets volumes as they were created": {func() mutation.Fault {
			bytes := map[string]int64{}
			return mutation.Ending(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
				if id := response.GetVolume().GetVolumeId(); err == nil && bytes[id] == 0 {
					bytes[id] = response.GetVolume().GetCapacityBytes()
				}
				return response, err
			}).And(mutation.Answering(func(r *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
				response.Volume.CapacityBytes = bytes[r.GetVolumeId()]
			}))
		}, "CE-13", 3},

		"gets deleted volumes with INTERNAL": {func() mutation.Fault {
			return mutation.Ending(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse, err error) (*csi.ControllerGetVolumeResponse, error) {
				if status.Code(err) == codes.NotFound {
					return nil, status.Error(codes.Internal, "no row was found")
				}
				return response, err
			})
		}, "LV-13", 3},

		"validates deleted volumes with INTERNAL": {validatesDeleted, "VV-03", 3},

		"publishes what is published read-only for writing": {func() mutation.Fault {
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
				response, err := right.ControllerPublishVolume(ctx, r)
				if status.Code(err) == codes.AlreadyExists {
					r.Readonly = !r.GetReadonly()
					return right.ControllerPublishVolume(ctx, r)
				}
				return response, err
			})
		}, "CP-33", 3},

		"volumes for several nodes are for one": {func() mutation.Fault {
			on := map[string]string{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
				if at := on[r.GetVolumeId()]; at != "" && at != r.GetNodeId() {
					return nil, status.Error(codes.FailedPrecondition, "the volume is on "+at)
				}
				response, err := right.ControllerPublishVolume(ctx, r)
				if err == nil {
					on[r.GetVolumeId()] = r.GetNodeId()
				}
				return response, err
			}).And(mutation.Ending(func(r *csi.ControllerUnpublishVolumeRequest, response *csi.ControllerUnpublishVolumeResponse, err error) (*csi.ControllerUnpublishVolumeResponse, error) {
				if err == nil && (r.GetNodeId() == "" || on[r.GetVolumeId()] == r.GetNodeId()) {
					delete(on, r.GetVolumeId())
				}
				return response, err
			}))
		}, "CP-11", 5},
	}
}

// waste takes a unit of whatever segment has it for a volume that nobody asked for.
func waste(ctx context.Context, right mutation.Right) {
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
func isFull(ctx context.Context, right mutation.Right) func(*csi.Topology) bool {
	return func(topology *csi.Topology) bool {
		response, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: topology})
		return err == nil && response.GetAvailableCapacity() == 0
	}
}
