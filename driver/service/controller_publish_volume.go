// SPDX-License-Identifier: Apache-2.0

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

// publishVolume records that the node may use the volume; it attaches nothing, as every node sees the data directory. It
// returns NOT_FOUND for an unknown volume or node (CP-31, CP-32), ALREADY_EXISTS if the volume is published there in
// another way (CP-33), FAILED_PRECONDITION if it is published on another node and cannot be on both (CP-34) or is not
// accessible from this one (CP-12), and RESOURCE_EXHAUSTED if the node already has its maximum number of volumes (CP-36).
func (c *controller) publishVolume(_ context.Context, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if r.GetNodeId() == "" {
		return nil, status.Error(codes.InvalidArgument, "node_id is required and was empty")
	}
	if err := checkCapability(kindOf(r.GetVolumeId()), r.GetVolumeCapability()); err != nil {
		return nil, err
	}
	if err := checkVolumeContext(r.GetVolumeContext()); err != nil {
		return nil, err
	}
	v, err := c.findUsableVolume(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	at, found := c.inventory.SegmentOf(r.GetNodeId())
	if !found {
		return nil, status.Errorf(codes.NotFound, "there is no node %q", r.GetNodeId())
	}
	asked := publicationOf(r)
	published, err := c.publishedAs(asked)
	if err != nil {
		return nil, err
	}
	if published {
		return publishedOn(asked), nil
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
	return publishedOn(asked), nil
}

// publishedOn returns the response to a publication, which names the node, and shows whether the publication is
// read-only.
func publishedOn(p record.Publication) *csi.ControllerPublishVolumeResponse {
	publishContext := map[string]string{nodeContext: p.NodeID}
	if p.ReadOnly {
		publishContext[readOnlyContext] = "true"
	}
	return &csi.ControllerPublishVolumeResponse{PublishContext: publishContext}
}

// publishedAs reports whether the volume is published as requested. It returns an error if the volume is published in a
// way that rules the request out.
func (c *controller) publishedAs(asked record.Publication) (bool, error) {
	publications, err := c.store.Publications(asked.VolumeID)
	if err != nil {
		return false, failure(err)
	}
	// The publication on the node itself is compared first: a request that contradicts it is refused whatever is on other
	// nodes.
	for _, present := range publications {
		switch {
		case present.Equal(asked):
			return true, nil
		case present.NodeID == asked.NodeID:
			// The mount flags are not named, as they may be a secret (CSI spec, VolumeCapability).
			return false, status.Errorf(codes.AlreadyExists, "volume %q is published on node %q with access mode %s, file system %q (block: %t, read-only: %t) and mount flags that differ from the request: unpublish it first",
				asked.VolumeID, present.NodeID, present.AccessMode, present.FSType, present.Block, present.ReadOnly)
		}
	}
	for _, present := range publications {
		if err := checkOtherNode(present, asked); err != nil {
			return false, err
		}
	}
	return false, nil
}

// checkOtherNode returns FAILED_PRECONDITION if a volume that is published on one node cannot be published on another one
// as well: if either access mode is for one node only, or if both nodes would write and the access mode allows only one
// to.
func checkOtherNode(present, asked record.Publication) error {
	presentMode, askedMode := modeNamed(present.AccessMode), modeNamed(asked.AccessMode)
	if !multiNode(presentMode) || !multiNode(askedMode) {
		return status.Errorf(codes.FailedPrecondition, "volume %q is published on node %q with access mode %s, and cannot be on node %q with %s as well: unpublish it there first",
			asked.VolumeID, present.NodeID, presentMode, asked.NodeID, askedMode)
	}
	single := presentMode == singleWriterMode || askedMode == singleWriterMode
	if single && writes(present) && writes(asked) {
		return status.Errorf(codes.FailedPrecondition, "volume %q is published on node %q for writing, and with %s only one node may write: unpublish it there first, or publish it read-only here",
			asked.VolumeID, present.NodeID, singleWriterMode)
	}
	return nil
}

const singleWriterMode = csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER

// writes reports whether the node may write to the volume.
func writes(p record.Publication) bool {
	return !p.ReadOnly && modeNamed(p.AccessMode) != csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY
}

// modeNamed returns the access mode with that name, or UNKNOWN.
func modeNamed(name string) csi.VolumeCapability_AccessMode_Mode {
	return csi.VolumeCapability_AccessMode_Mode(csi.VolumeCapability_AccessMode_Mode_value[name])
}

func publicationOf(r *csi.ControllerPublishVolumeRequest) record.Publication {
	mount := r.GetVolumeCapability().GetMount()
	return record.Publication{
		VolumeID:   r.GetVolumeId(),
		NodeID:     r.GetNodeId(),
		AccessMode: r.GetVolumeCapability().GetAccessMode().GetMode().String(),
		Block:      r.GetVolumeCapability().GetBlock() != nil,
		ReadOnly:   r.GetReadonly(),
		FSType:     mount.GetFsType(),
		MountFlags: mount.GetMountFlags(),
	}
}
