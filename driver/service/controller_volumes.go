// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// stringLimit is the maximum size of a string field in bytes (GEN-04).
const stringLimit = 128

// checkVolumeID returns INVALID_ARGUMENT for an id that no volume of any driver may have.
func checkVolumeID(id string) error { return checkID("volume_id", id) }

// checkID does what checkVolumeID does, for any field that has an id (GEN-04, GEN-11).
func checkID(field, id string) error {
	if id == "" {
		return status.Errorf(codes.InvalidArgument, "%s is required and was empty", field)
	}
	if len(id) > stringLimit {
		return status.Errorf(codes.InvalidArgument, "%s has %d bytes, and may have %d", field, len(id), stringLimit)
	}
	return nil
}

// findVolume returns the volume with the id, or NOT_FOUND if there is none or it was not acknowledged yet.
func (c *controller) findVolume(id string) (record.Volume, error) {
	v, err := c.store.Volume(id)
	if errors.Is(err, record.ErrNotFound) || (err == nil && !acknowledged(v)) {
		return v, status.Errorf(codes.NotFound, "there is no volume %q", id)
	}
	return v, failure(err)
}

// findUsableVolume does what findVolume does for a call that needs the volume to stay: it returns ABORTED if its deletion
// has begun.
func (c *controller) findUsableVolume(id string) (record.Volume, error) {
	v, err := c.findVolume(id)
	if err == nil && v.State == record.Deleting {
		return v, status.Errorf(codes.Aborted, "volume %q is being deleted", id)
	}
	return v, err
}

// acknowledged reports whether a caller may know of the volume.
func acknowledged(v record.Volume) bool { return v.State != record.Creating }

// sizeOf returns the room that the volume should have on disk.
func sizeOf(v record.Volume) volume.Size {
	return volume.Size{Bytes: v.Bytes, Allocated: v.Allocated}
}

// answer returns the volume as the CO sees it.
func answer(v record.Volume) *csi.Volume {
	answer := &csi.Volume{VolumeId: v.ID, CapacityBytes: v.Bytes, ContentSource: contentSource(v)}
	for _, segment := range v.Segments {
		answer.AccessibleTopology = append(answer.AccessibleTopology, &csi.Topology{Segments: segment})
	}
	return answer
}

// contentSource returns the source that the volume was copied from, or nil if it began empty.
func contentSource(v record.Volume) *csi.VolumeContentSource {
	switch {
	case v.FromSnapshot != "":
		return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
			Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: v.FromSnapshot},
		}}
	case v.FromVolume != "":
		return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
			Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: v.FromVolume},
		}}
	default:
		return nil
	}
}

// failureToTake does what failure does, for a call that takes room on the disk: it returns RESOURCE_EXHAUSTED if the disk
// is full. In other calls that code has another meaning, such as a node with its maximum number of volumes (CP-36), or
// none.
func failureToTake(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return status.Error(codes.ResourceExhausted, err.Error())
	}
	return failure(err)
}

// failure gives an error its gRPC code, if it has none yet.
func failure(err error) error {
	code := codes.Internal
	var noRoom *topology.NoRoomError
	var decided interface{ GRPCStatus() *status.Status }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &decided):
		return decided.GRPCStatus().Err()
	case errors.Is(err, volume.ErrNotFound), errors.Is(err, volume.ErrReplaced):
		code = codes.NotFound
	case errors.Is(err, volume.ErrRefused):
		code = codes.FailedPrecondition
	case errors.As(err, &noRoom):
		code = codes.ResourceExhausted
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	}
	return status.Error(code, err.Error())
}
