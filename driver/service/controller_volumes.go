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
)

// stringLimit is how many bytes a string field may have (GEN-04).
const stringLimit = 128

// checkVolumeID answers INVALID_ARGUMENT for an id that no volume of any driver may have.
func checkVolumeID(id string) error {
	if err := requireVolumeID(id); err != nil {
		return err
	}
	if len(id) > stringLimit {
		return status.Errorf(codes.InvalidArgument, "volume_id has %d bytes, and may have %d", len(id), stringLimit)
	}
	return nil
}

// known returns the volume of that id, once the caller of CreateVolume may know
// of it, or NOT_FOUND.
func (c *controller) known(id string) (record.Volume, error) {
	v, err := c.store.Volume(id)
	if errors.Is(err, record.ErrNotFound) || (err == nil && !acknowledged(v)) {
		return v, status.Errorf(codes.NotFound, "there is no volume %q", id)
	}
	return v, failure(err)
}

// usable is known for a call that needs the volume to stay: one whose deletion
// has begun is ABORTED.
func (c *controller) usable(id string) (record.Volume, error) {
	v, err := c.known(id)
	if err == nil && v.State == record.Deleting {
		return v, status.Errorf(codes.Aborted, "volume %q is being deleted", id)
	}
	return v, err
}

// acknowledged tells whether anybody may have been told of the volume.
func acknowledged(v record.Volume) bool { return v.State != record.Creating }

// answer is what the CO gets to know of a volume.
func answer(v record.Volume) *csi.Volume {
	volume := &csi.Volume{VolumeId: v.ID, CapacityBytes: v.Bytes}
	for _, segment := range v.Segments {
		volume.AccessibleTopology = append(volume.AccessibleTopology, &csi.Topology{Segments: segment})
	}
	return volume
}

// failure gives an error that is not the caller's its gRPC code.
func failure(err error) error {
	code := codes.Internal
	var noRoom *topology.NoRoomError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &noRoom), errors.Is(err, syscall.ENOSPC):
		code = codes.ResourceExhausted
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	}
	return status.Error(code, err.Error())
}
