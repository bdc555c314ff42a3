package service

import (
	"context"
	"errors"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// publishVolume records that the node may use the volume; there is nothing to
// attach, as every node sees the data directory. It answers NOT_FOUND for an
// unknown volume or node (CP-31, CP-32), ALREADY_EXISTS if the volume is
// published there in another way (CP-33), FAILED_PRECONDITION if it is published
// on another node (CP-34) or not accessible from this one (CP-12), and
// RESOURCE_EXHAUSTED if the node has as many volumes as it may (CP-36).
func (c *controller) publishVolume(_ context.Context, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if r.GetNodeId() == "" {
		return nil, status.Error(codes.InvalidArgument, "node_id is required and was empty")
	}
	if err := checkCapability(r.GetVolumeCapability()); err != nil {
		return nil, err
	}
	if r.GetReadonly() {
		return nil, status.Error(codes.InvalidArgument, "readonly is not supported here: mount the volume read-only, or use an access mode that is")
	}
	v, err := c.usable(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	at, found := c.inventory.SegmentOf(r.GetNodeId())
	if !found {
		return nil, status.Errorf(codes.NotFound, "there is no node %q", r.GetNodeId())
	}
	asked := publicationOf(r)
	published, err := c.publishedAs(asked)
	if err != nil || published {
		return &csi.ControllerPublishVolumeResponse{}, err
	}
	if !slices.ContainsFunc(v.Segments, func(s topology.Segment) bool { return at.Matches(s) }) {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %q is accessible from %v only, and node %q is in {%s}",
			v.ID, v.Segments, r.GetNodeId(), at)
	}
	err = c.store.Publish(asked, c.maxVolumesPerNode)
	if errors.Is(err, record.ErrNodeFull) {
		return nil, status.Error(codes.ResourceExhausted, err.Error())
	}
	if err != nil {
		return nil, failure(err)
	}
	return &csi.ControllerPublishVolumeResponse{}, nil
}

// publishedAs tells whether the volume is published as asked, or answers why it
// cannot be, where it is published otherwise.
func (c *controller) publishedAs(asked record.Publication) (bool, error) {
	publications, err := c.store.Publications(asked.VolumeID)
	if err != nil {
		return false, failure(err)
	}
	for _, present := range publications {
		switch {
		case present.Equal(asked):
			return true, nil
		case present.NodeID == asked.NodeID:
			// The mount flags are not named, as they may be a secret (CSI spec, VolumeCapability).
			return false, status.Errorf(codes.AlreadyExists, "volume %q is published on node %q with access mode %s, file system %q and its own mount flags, of which not all are as asked: unpublish it first",
				asked.VolumeID, present.NodeID, present.AccessMode, present.FSType)
		default:
			return false, status.Errorf(codes.FailedPrecondition, "volume %q is published on node %q, and may be on one node at a time: unpublish it there first",
				asked.VolumeID, present.NodeID)
		}
	}
	return false, nil
}

func publicationOf(r *csi.ControllerPublishVolumeRequest) record.Publication {
	mount := r.GetVolumeCapability().GetMount()
	return record.Publication{
		VolumeID:   r.GetVolumeId(),
		NodeID:     r.GetNodeId(),
		AccessMode: r.GetVolumeCapability().GetAccessMode().GetMode().String(),
		FSType:     mount.GetFsType(),
		MountFlags: mount.GetMountFlags(),
	}
}
