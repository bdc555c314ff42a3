// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unit is the size of the profile's volumes.
const unit = 16 << 20

// faultsOfVolumes returns drivers that only sequences find, and that handle volumes wrongly.
func faultsOfVolumes() map[string]Sequence {
	return map[string]Sequence{
		"a failed growth leaves what it took": {mutation.InsteadOf(codes.ResourceExhausted,
			func(ctx context.Context, right mutation.Right, _ *csi.ControllerExpandVolumeRequest, refused error) (*csi.ControllerExpandVolumeResponse, error) {
				waste(ctx, right)
				return nil, refused
			}), "CAP-07", 2},
		"a repeated name is booked twice":                          {mutation.Again((*csi.CreateVolumeRequest).GetName, wasting()), "CAP-07", 2},
		"a second deletion deletes the volume that was made first": {deletesTheFirst(), "CAP-07 VV-04 LV-01 LV-15 CREATE-06 CP-11 DV-02", 9},
		"places outside requisite when a segment of it is full to the byte": {mutation.InsteadOf(codes.ResourceExhausted,
			func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest, refused error) (*csi.CreateVolumeResponse, error) {
				if !slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), isFull(ctx, right)) {
					return nil, refused
				}
				r.AccessibilityRequirements = nil
				return right.CreateVolume(ctx, r)
			}), "TR-04 TR-06", 2},
		"a deleted name stays taken":                {keepsNames(), "CREATE-06", 4},
		"a volume that has grown is listed no more": {listsNoGrown(), "LV-01", 3},
		"unpublishing from one node unpublishes from all": {
			mutation.Asking(func(r *csi.ControllerUnpublishVolumeRequest) { r.NodeId = "" }), "CU-10", 4,
		},
		"answers INTERNAL once": {failsOnce(), "DV-01 DV-02 DV-04 DV-05", 0},
		"ignores limit_bytes": {mutation.Asking(func(r *csi.CreateVolumeRequest) {
			if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + unit}
			}
		}), "CR-05", 1},
		"allows no limit_bytes where there is the volume": {mutation.Again((*csi.CreateVolumeRequest).GetName,
			mutation.RefusingSome(codes.OutOfRange, "there is no such size", func(r *csi.CreateVolumeRequest) bool {
				return r.GetCapacityRange().GetLimitBytes() > 0
			})), "CV-03", 2},
		"grows beyond limit_bytes": {mutation.Asking(func(r *csi.ControllerExpandVolumeRequest) {
			if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + unit}
			}
		}), "CR-05", 2},
		"gets volumes as they were created": {getsAsCreated(), "CE-13", 3},
		"gets deleted volumes with INTERNAL": {
			mutation.Recoding[*csi.ControllerGetVolumeRequest](codes.NotFound, codes.Internal), "LV-13", 3,
		},
		"validates deleted volumes with INTERNAL": {validatesDeleted(), "VV-03", 3},
		"publishes what is published read-only for writing": {
			mutation.Retrying(codes.AlreadyExists, func(r *csi.ControllerPublishVolumeRequest) { r.Readonly = !r.GetReadonly() }), "CP-33", 3,
		},
		"volumes for several nodes are for one": {publishesToOne(), "CP-11", 5},
	}
}

func deletesTheFirst() mutation.Fault {
	var ids []string
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		if !slices.Contains(ids, v.GetVolumeId()) {
			ids = append(ids, v.GetVolumeId())
		}
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
}

func keepsNames() mutation.Fault {
	names, taken := map[string]string{}, map[string]bool{}
	return mutation.RefusingSome(codes.AlreadyExists, "the name is taken", func(r *csi.CreateVolumeRequest) bool { return taken[r.GetName()] }).
		Over(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) { names[v.GetVolumeId()] = r.GetName() })).
		And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { taken[names[r.GetVolumeId()]] = true }))
}

func listsNoGrown() mutation.Fault {
	grown := map[string]bool{}
	return mutation.OnOK(func(r *csi.ControllerExpandVolumeRequest) {
		grown[r.GetVolumeId()] = true
	}).And(mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return grown[e.GetVolume().GetVolumeId()] })
	}))
}

// failsOnce makes a driver that fails at the tenth deletion only.
func failsOnce() mutation.Fault {
	calls := 0
	return mutation.RefusingSome(codes.Internal, "try again", func(*csi.DeleteVolumeRequest) bool {
		const wrong = 10
		calls++
		return calls == wrong
	})
}

func getsAsCreated() mutation.Fault {
	bytes := map[string]int64{}
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		if bytes[v.GetVolumeId()] == 0 {
			bytes[v.GetVolumeId()] = v.GetCapacityBytes()
		}
	}).And(mutation.Answering(func(r *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
		response.Volume.CapacityBytes = bytes[r.GetVolumeId()]
	}))
}

func publishesToOne() mutation.Fault {
	on := map[string]string{}
	return mutation.RefusingSome(codes.FailedPrecondition, "the volume is on another node", func(r *csi.ControllerPublishVolumeRequest) bool {
		return on[r.GetVolumeId()] != "" && on[r.GetVolumeId()] != r.GetNodeId()
	}).Over(mutation.OnOK(func(r *csi.ControllerPublishVolumeRequest) {
		on[r.GetVolumeId()] = r.GetNodeId()
	})).And(mutation.OnOK(func(r *csi.ControllerUnpublishVolumeRequest) {
		if r.GetNodeId() == "" || on[r.GetVolumeId()] == r.GetNodeId() {
			delete(on, r.GetVolumeId())
		}
	}))
}

// wasting makes a driver that counts the room of a new volume twice.
func wasting() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			waste(ctx, right)
		}
		return response, err
	})
}

// waste creates a volume of one unit that was not requested, in any segment that has room for it.
func waste(ctx context.Context, right mutation.Right) {
	capability := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	_, _ = right.CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name: rand.Text(), CapacityRange: &csi.CapacityRange{RequiredBytes: unit},
		VolumeCapabilities: []*csi.VolumeCapability{capability},
	})
}

// isFull reports whether not a single byte is left in a topology.
func isFull(ctx context.Context, right mutation.Right) func(*csi.Topology) bool {
	return func(topology *csi.Topology) bool {
		response, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: topology})
		return err == nil && response.GetAvailableCapacity() == 0
	}
}

// faultsOfNodes returns drivers whose nodes are wrong.
func faultsOfNodes() map[string]Sequence {
	return map[string]Sequence{
		"stages a volume once": {once[*csi.NodeStageVolumeRequest, *csi.NodeUnstageVolumeRequest](codes.AlreadyExists,
			(*csi.NodeStageVolumeRequest).GetStagingTargetPath, (*csi.NodeUnstageVolumeRequest).GetStagingTargetPath), "NS-04", 4},
		"unstages a volume once": {once[*csi.NodeUnstageVolumeRequest, *csi.NodeStageVolumeRequest](codes.Internal,
			(*csi.NodeUnstageVolumeRequest).GetStagingTargetPath, (*csi.NodeStageVolumeRequest).GetStagingTargetPath), "NS-09", 5},
		"does not publish what was unpublished": {publishesOnce(), "NS-20", 6},
		"unpublishes a volume once": {once[*csi.NodeUnpublishVolumeRequest, *csi.NodePublishVolumeRequest](codes.NotFound,
			(*csi.NodeUnpublishVolumeRequest).GetTargetPath, (*csi.NodePublishVolumeRequest).GetTargetPath), "NS-16", 6},
		"nodes do not see that a volume has grown": {mutation.RefusingSome(codes.OutOfRange, "the device is smaller", func(r *csi.NodeExpandVolumeRequest) bool {
			return r.GetCapacityRange().GetRequiredBytes() > unit
		}), "NE-01", 6},
	}
}

// ofVolume is a request about a volume.
type ofVolume interface {
	proto.Message
	GetVolumeId() string
}

// once makes a driver that refuses with the code to repeat a call for a volume at a path, until the call is undone.
func once[Do, Undo ofVolume](code codes.Code, path func(Do) string, pathOfUndo func(Undo) string) mutation.Fault {
	done := map[string]bool{}
	return mutation.RefusingSome(code, "it was done before", func(r Do) bool { return done[r.GetVolumeId()+path(r)] }).
		Over(mutation.OnOK(func(r Do) { done[r.GetVolumeId()+path(r)] = true })).
		And(mutation.Asking(func(r Undo) { delete(done, r.GetVolumeId()+pathOfUndo(r)) }))
}

func publishesOnce() mutation.Fault {
	gone := map[string]bool{}
	return mutation.Asking(func(r *csi.NodeUnpublishVolumeRequest) { gone[r.GetVolumeId()] = true }).
		And(mutation.RefusingSome(codes.Internal, "the volume was published before", func(r *csi.NodePublishVolumeRequest) bool { return gone[r.GetVolumeId()] }))
}

// faultsOfSnapshots returns drivers whose snapshots and copies are wrong.
func faultsOfSnapshots() map[string]Sequence {
	return map[string]Sequence{
		"a name is several snapshots": {mutation.Again((*csi.CreateSnapshotRequest).GetName,
			mutation.Asking(func(r *csi.CreateSnapshotRequest) { r.Name += "-" + rand.Text() })), "CS-03", 3},
		"a name is snapshots of several volumes": {
			mutation.Retrying(codes.AlreadyExists, func(r *csi.CreateSnapshotRequest) { r.Name += "-" + rand.Text() }), "CS-18", 4,
		},
		"deletes snapshots once":         {deletesSnapshotsOnce(), "DS-02", 4},
		"snapshots go with their volume": {goWithVolume(), "LS-01", 5},
		"ignores snapshot_id":            {mutation.Asking(func(r *csi.ListSnapshotsRequest) { r.SnapshotId = "" }), "LS-01", 5},
		"ignores source_volume_id":       {mutation.Asking(func(r *csi.ListSnapshotsRequest) { r.SourceVolumeId = "" }), "LS-01", 5},
		"restores deleted snapshots with INTERNAL": {
			copying(mutation.Recoding[*csi.CreateVolumeRequest](codes.NotFound, codes.Internal)), "CREATE-05", 4,
		},
		"copies are booked twice": {copying(wasting()), "CAP-07", 2},
		"copies are half as large as asked": {copying(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			v.CapacityBytes = r.GetCapacityRange().GetRequiredBytes() / 2
		})), "CR-03", 2},
		"a name may have another source": {
			copying(mutation.Retrying(codes.AlreadyExists, func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = nil })), "CREATE-06", 2,
		},
	}
}

func goWithVolume() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		response, err := right.DeleteVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		listed, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: r.GetVolumeId()})
		for _, entry := range listed.GetEntries() {
			_, failed := right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()})
			err = errors.Join(err, failed)
		}
		return response, err
	})
}

// copying limits the fault to the creation of volumes that have a source.
func copying(fault mutation.Fault) mutation.Fault {
	return mutation.Where(func(r *csi.CreateVolumeRequest) bool { return r.GetVolumeContentSource() != nil }, fault)
}
