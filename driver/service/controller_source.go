// SPDX-License-Identifier: Apache-2.0

package service

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// originOf reads volume_content_source; without it, it returns the zero Origin.
func originOf(source *csi.VolumeContentSource) (volume.Origin, error) {
	var from volume.Origin
	if source == nil {
		return from, nil
	}
	var field, id string
	switch {
	case source.GetSnapshot() != nil:
		field, id = "snapshot_id", source.GetSnapshot().GetSnapshotId()
		from.SnapshotID = id
	case source.GetVolume() != nil:
		field, id = "volume_id", source.GetVolume().GetVolumeId()
		from.VolumeID = id
	default:
		return from, status.Error(codes.InvalidArgument, "volume_content_source has neither a snapshot nor a volume")
	}
	return from, checkID("volume_content_source."+field, id)
}

// describe names an origin in a message.
func describe(from volume.Origin) string {
	switch {
	case from.SnapshotID != "":
		return fmt.Sprintf("a copy of snapshot %q", from.SnapshotID)
	case from.VolumeID != "":
		return fmt.Sprintf("a copy of volume %q", from.VolumeID)
	default:
		return "an empty volume"
	}
}

// source is the source of a new volume.
type source struct {
	id       string
	bytes    int64
	segments []topology.Segment
}

// locate finds the source of the volume, gives the volume at least its size, and returns the segments that have its data:
// nil without a source, as any segment will do then. It returns NOT_FOUND if the source does not exist, INVALID_ARGUMENT
// if it is of another kind, and OUT_OF_RANGE if it is larger than the volume may be.
func (c *controller) locate(asked *creation) ([]topology.Segment, error) {
	if asked.from == (volume.Origin{}) {
		return nil, nil
	}
	found, err := c.sourceOf(asked.from)
	if err != nil {
		return nil, err
	}
	kind := asked.parameters.kind
	if kindOf(found.id) != kind {
		return nil, status.Errorf(codes.InvalidArgument, "%s cannot be of kind %q (parameter %q): the source is of kind %q",
			describe(asked.from), kind, kindParameter, kindOf(found.id))
	}
	asked.bytes, err = c.sizesOf(kind).copied(found.bytes, asked.capacity)
	return found.segments, err
}

func (c *controller) sourceOf(from volume.Origin) (source, error) {
	if from.SnapshotID != "" {
		s, err := c.findUsableSnapshot(from.SnapshotID)
		return source{id: s.ID, bytes: s.Bytes, segments: s.Segments}, err
	}
	v, err := c.findUsableVolume(from.VolumeID)
	if err != nil {
		return source{}, err
	}
	return source{id: v.ID, bytes: v.Reserved(), segments: v.Segments}, c.checkAtRest(v)
}

// checkAtRest returns FAILED_PRECONDITION if the volume is published and its kind cannot be copied at one moment while in
// use.
func (c *controller) checkAtRest(v record.Volume) error {
	if kindOf(v.ID) != volume.Dir {
		return nil // an image can, or reports that it cannot
	}
	publications, err := c.store.Publications(v.ID)
	if err != nil {
		return failure(err)
	}
	if len(publications) > 0 {
		return status.Errorf(codes.FailedPrecondition, "volume %q is a directory and may change while it is copied, as it is published on %s: unpublish it first",
			v.ID, nodesOf(publications))
	}
	return nil
}
