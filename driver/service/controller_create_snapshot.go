// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// snapshotCreation is a CreateSnapshotRequest that was understood.
type snapshotCreation struct {
	name        string
	volumeID    string
	parameters  map[string]string
	known       []topology.Segment
	requirement topology.Requirement
}

// createSnapshot keeps the current content of a volume in segments of the volume: in all of them, or in the number given
// by the parameter "zones", chosen by accessibility_requirements like the segments of a volume. Volumes restored from the
// snapshot can be in these segments. If a snapshot of the same name and volume exists, createSnapshot returns it
// unchanged. It returns ALREADY_EXISTS if the existing snapshot differs, NOT_FOUND if the volume does not exist, and
// RESOURCE_EXHAUSTED if the segments that it may be in have no room or are not the volume's; then nothing is left behind.
func (c *controller) createSnapshot(ctx context.Context, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	asked, err := c.understandSnapshot(r)
	if err != nil {
		return nil, err
	}
	s, err := c.store.SnapshotNamed(asked.name)
	switch {
	case errors.Is(err, record.ErrNotFound):
	case err != nil:
		return nil, failure(err)
	case s.State == record.Ready:
		if err := asked.checkExisting(s); err != nil {
			return nil, err
		}
		return &csi.CreateSnapshotResponse{Snapshot: answerSnapshot(s)}, nil
	default:
		// An earlier call was cut off, and could not clean up after itself.
		if err := c.discardSnapshot(ctx, s); err != nil {
			return nil, failure(err)
		}
	}
	s, err = c.takeSnapshot(ctx, asked)
	if err != nil {
		return nil, failureToTake(err)
	}
	return &csi.CreateSnapshotResponse{Snapshot: answerSnapshot(s)}, nil
}

func (c *controller) understandSnapshot(r *csi.CreateSnapshotRequest) (snapshotCreation, error) {
	asked := snapshotCreation{name: r.GetName(), volumeID: r.GetSourceVolumeId(), parameters: r.GetParameters()}
	if err := checkName(asked.name); err != nil {
		return asked, err
	}
	if err := checkID("source_volume_id", asked.volumeID); err != nil {
		return asked, err
	}
	if _, err := parseSnapshotParameters(asked.parameters, 1); err != nil {
		return asked, err
	}
	var err error
	asked.known, asked.requirement, err = c.requirementFor(r.GetAccessibilityRequirements())
	return asked, err
}

// checkExisting returns ALREADY_EXISTS unless the snapshot satisfies the request.
func (asked snapshotCreation) checkExisting(s record.Snapshot) error {
	zones, err := parseSnapshotParameters(asked.parameters, len(s.Segments))
	switch {
	case err != nil:
		return err
	case s.VolumeID != asked.volumeID:
		return status.Errorf(codes.AlreadyExists, "snapshot %q exists and is of volume %q, not of %q", s.Name, s.VolumeID, asked.volumeID)
	case len(s.Segments) != zones:
		return status.Errorf(codes.AlreadyExists, "snapshot %q exists and is usable from %d segment(s), and parameter %q asks for %d",
			s.Name, len(s.Segments), zonesParameter, zones)
	case !asked.requirement.Met(s.Segments):
		return status.Errorf(codes.AlreadyExists, "snapshot %q exists and is usable from %v, which does not satisfy accessibility_requirements", s.Name, s.Segments)
	}
	return nil
}

// takeSnapshot makes a new snapshot. As in create, the record is written before anything is on disk.
func (c *controller) takeSnapshot(ctx context.Context, asked snapshotCreation) (record.Snapshot, error) {
	v, err := c.findUsableVolume(asked.volumeID)
	if err != nil {
		return record.Snapshot{}, err
	}
	if err := c.checkAtRest(v); err != nil {
		return record.Snapshot{}, err
	}
	zones, err := parseSnapshotParameters(asked.parameters, len(v.Segments))
	if err != nil {
		return record.Snapshot{}, err
	}
	id, err := volume.NewID(kindOf(v.ID))
	if err != nil {
		return record.Snapshot{}, err
	}
	s := record.Snapshot{
		ID:       id,
		Name:     asked.name,
		State:    record.Creating,
		VolumeID: v.ID,
		Bytes:    v.Reserved(),
		Class:    v.Class,
		Taken:    time.Now().UTC(),
	}
	s.Segments, err = c.placement.reserve(s.ID, asked.known, placementRequest{
		bytes:       s.Bytes,
		class:       s.Class,
		zones:       zones,
		requirement: asked.requirement,
		reach:       v.Segments,
	})
	if err != nil {
		return s, fmt.Errorf("finding room for snapshot %q of volume %q: %w", s.Name, v.ID, err)
	}
	if err := c.makeSnapshotReady(ctx, &s); err != nil {
		return s, c.abandonSnapshot(ctx, s, err)
	}
	return s, nil
}

func (c *controller) makeSnapshotReady(ctx context.Context, s *record.Snapshot) error {
	if err := c.store.PutSnapshot(*s); err != nil {
		return err
	}
	if err := c.volumes.CreateSnapshot(ctx, s.ID, s.VolumeID); err != nil {
		return fmt.Errorf("taking snapshot %q of volume %q: %w", s.Name, s.VolumeID, err)
	}
	s.State = record.Ready
	return c.store.PutSnapshot(*s)
}

// answerSnapshot returns the snapshot as the CO sees it.
func answerSnapshot(s record.Snapshot) *csi.Snapshot {
	snapshot := &csi.Snapshot{
		SnapshotId:     s.ID,
		SourceVolumeId: s.VolumeID,
		SizeBytes:      s.Bytes,
		CreationTime:   timestamppb.New(s.Taken),
		ReadyToUse:     s.State == record.Ready,

		GroupSnapshotId: s.GroupID,
	}
	for _, segment := range s.Segments {
		snapshot.AccessibleTopology = append(snapshot.AccessibleTopology, &csi.Topology{Segments: segment})
	}
	return snapshot
}
