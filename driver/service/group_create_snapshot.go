// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// groupCreation is a CreateVolumeGroupSnapshotRequest that was understood.
type groupCreation struct {
	name string
	// volumeIDs are sorted.
	volumeIDs []string
	// zones is the requested number of segments that each snapshot is usable from; 0 means the segments of its volume.
	zones int
}

// createGroupSnapshot takes snapshots of several volumes at one moment: of all, or of none. Each snapshot is in the
// segments of its volume, or in the number of them given by the parameter "zones". If a group of the same name and
// volumes exists, createGroupSnapshot returns it unchanged. It returns ALREADY_EXISTS if the existing group differs,
// NOT_FOUND if one of the volumes does not exist, FAILED_PRECONDITION if one is published, because it may change while
// another is copied, and RESOURCE_EXHAUSTED if there is not room for all; then nothing is left behind.
func (c *controller) createGroupSnapshot(ctx context.Context, r *csi.CreateVolumeGroupSnapshotRequest) (*csi.CreateVolumeGroupSnapshotResponse, error) {
	asked, err := understandGroup(r)
	if err != nil {
		return nil, err
	}
	if id := c.store.GroupNamed(asked.name); id != "" {
		group, members, err := c.store.Group(id)
		switch {
		case err != nil:
			return nil, failure(err)
		case group.State == record.Ready:
			if err := asked.checkExisting(group, members); err != nil {
				return nil, err
			}
			return &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: answerGroup(group, members)}, nil
		}
		// An earlier call was cut off, and could not clean up after itself.
		if err := c.discardGroup(ctx, group, members); err != nil {
			return nil, failure(err)
		}
	}
	group, members, err := c.takeGroup(ctx, asked)
	if err != nil {
		return nil, failureToTake(err)
	}
	return &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: answerGroup(group, members)}, nil
}

func understandGroup(r *csi.CreateVolumeGroupSnapshotRequest) (groupCreation, error) {
	asked := groupCreation{name: r.GetName(), volumeIDs: slices.Sorted(slices.Values(r.GetSourceVolumeIds()))}
	if err := checkName(asked.name); err != nil {
		return asked, err
	}
	if len(asked.volumeIDs) == 0 {
		return asked, status.Error(codes.InvalidArgument, "source_volume_ids is required and was empty")
	}
	for i, id := range asked.volumeIDs {
		if err := checkID("source_volume_ids", id); err != nil {
			return asked, err
		}
		if i > 0 && asked.volumeIDs[i-1] == id {
			return asked, status.Errorf(codes.InvalidArgument, "source_volume_ids has volume %q twice", id)
		}
	}
	var err error
	asked.zones, err = parseSnapshotParameters(r.GetParameters(), 0)
	return asked, err
}

// checkExisting returns ALREADY_EXISTS unless the group satisfies the request.
func (asked groupCreation) checkExisting(group record.Group, members []record.Snapshot) error {
	var of []string
	for _, member := range members {
		of = append(of, member.VolumeID)
	}
	switch {
	case !slices.Equal(of, asked.volumeIDs):
		return status.Errorf(codes.AlreadyExists, "group snapshot %q exists and is of the volumes %q, not of %q", group.Name, of, asked.volumeIDs)
	case group.Zones != asked.zones:
		return status.Errorf(codes.AlreadyExists, "group snapshot %q exists and was made with another parameter %q", group.Name, zonesParameter)
	}
	return nil
}

// takeGroup makes a new group. As in create, the record is written before anything is on disk.
func (c *controller) takeGroup(ctx context.Context, asked groupCreation) (record.Group, []record.Snapshot, error) {
	unique, err := uuid.NewV7()
	if err != nil {
		return record.Group{}, nil, fmt.Errorf("making an id: %w", err)
	}
	group := record.Group{
		ID:    "group-" + unique.String(),
		Name:  asked.name,
		State: record.Creating,
		Zones: asked.zones,
		Taken: time.Now().UTC(),
	}
	var volumes []record.Volume
	for _, id := range asked.volumeIDs {
		v, err := c.findUsableVolume(id)
		if err != nil {
			return group, nil, err
		}
		if err := c.checkUnpublished(v); err != nil {
			return group, nil, err
		}
		volumes = append(volumes, v)
	}
	members, err := c.placeMembers(&group, volumes)
	if err != nil {
		return group, nil, err
	}
	if members, err = c.makeGroupReady(ctx, &group, members); err != nil {
		return group, nil, c.abandonGroup(ctx, group, members, err)
	}
	return group, members, nil
}

// checkUnpublished returns FAILED_PRECONDITION if a node has the volume: it might be written to after another volume of
// the group was copied.
func (c *controller) checkUnpublished(v record.Volume) error {
	publications, err := c.store.Publications(v.ID)
	if err != nil {
		return failure(err)
	}
	if len(publications) > 0 {
		return status.Errorf(codes.FailedPrecondition, "volume %q may be written to while others of the group are copied, as it is published on %s: unpublish it first",
			v.ID, nodesOf(publications))
	}
	return nil
}

// placeMembers reserves room for a snapshot of each volume, or for none.
func (c *controller) placeMembers(group *record.Group, volumes []record.Volume) (members []record.Snapshot, err error) {
	defer func() {
		if err == nil {
			return
		}
		for _, member := range members {
			c.placement.release(member.ID)
		}
	}()
	known := c.inventory.Segments()
	for _, v := range volumes {
		id, err := volume.NewID(kindOf(v.ID))
		if err != nil {
			return members, err
		}
		member := record.Snapshot{
			ID:       id,
			GroupID:  group.ID,
			State:    group.State,
			VolumeID: v.ID,
			Bytes:    v.Reserved(),
			Class:    v.Class,
			Taken:    group.Taken,
		}
		zones := group.Zones
		if zones == 0 {
			zones = len(v.Segments)
		}
		member.Segments, err = c.placement.reserve(id, known, placementRequest{
			bytes: member.Bytes, class: member.Class, zones: zones, requirement: topology.Requirement{}, reach: v.Segments,
		})
		if err != nil {
			return members, fmt.Errorf("finding room for a snapshot of volume %q: %w", v.ID, err)
		}
		members, group.Snapshots = append(members, member), append(group.Snapshots, id)
	}
	return members, nil
}

// makeGroupReady copies the volumes. None of them can be published meanwhile, so that
// the copies are of one moment.
func (c *controller) makeGroupReady(ctx context.Context, group *record.Group, members []record.Snapshot) ([]record.Snapshot, error) {
	if err := c.store.PutGroup(*group, members); err != nil {
		return members, err
	}
	for _, member := range members {
		if err := c.volumes.CreateSnapshot(ctx, member.ID, member.VolumeID); err != nil {
			return members, fmt.Errorf("taking a snapshot of volume %q: %w", member.VolumeID, err)
		}
	}
	ready, done := inState(*group, members, record.Ready)
	if err := c.store.PutGroup(ready, done); err != nil {
		return members, err
	}
	*group = ready
	return done, nil
}

// inState returns the group and its snapshots in the given state.
func inState(group record.Group, members []record.Snapshot, state record.State) (record.Group, []record.Snapshot) {
	group.State, members = state, slices.Clone(members)
	for i := range members {
		members[i].State = state
	}
	return group, members
}

// abandonGroup does for a group what abandon does for a volume.
func (c *controller) abandonGroup(ctx context.Context, group record.Group, members []record.Snapshot, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	if err := c.discardGroup(ctx, group, members); err != nil {
		return status.Errorf(codes.Internal, "%v; undoing it: %v", cause, err)
	}
	return cause
}

// discardGroup does for a group and all of its snapshots what discard does for a
// volume.
func (c *controller) discardGroup(ctx context.Context, group record.Group, members []record.Snapshot) error {
	defer func() {
		for _, member := range members {
			c.reserveSnapshotAsRecorded(member.ID)
		}
	}()
	if group.State == record.Ready {
		group, members = inState(group, members, record.Deleting)
		if err := c.store.PutGroup(group, members); err != nil {
			return err
		}
	}
	for _, member := range members {
		if err := c.volumes.DeleteSnapshot(ctx, member.ID); err != nil {
			return fmt.Errorf("deleting snapshot %q of group %q: %w", member.ID, group.ID, err)
		}
	}
	return c.store.RemoveGroup(group.ID)
}

// findGroup returns the group with the id and its snapshots, or NOT_FOUND if there is none or it was not acknowledged
// yet.
func (c *controller) findGroup(id string) (record.Group, []record.Snapshot, error) {
	group, members, err := c.store.Group(id)
	if errors.Is(err, record.ErrNotFound) || (err == nil && group.State == record.Creating) {
		return group, nil, status.Errorf(codes.NotFound, "there is no group snapshot %q", id)
	}
	return group, members, failure(err)
}

// answerGroup returns the group as the CO sees it.
func answerGroup(group record.Group, members []record.Snapshot) *csi.VolumeGroupSnapshot {
	answer := &csi.VolumeGroupSnapshot{
		GroupSnapshotId: group.ID,
		CreationTime:    timestamppb.New(group.Taken),
		ReadyToUse:      group.State == record.Ready,
	}
	for _, member := range members {
		answer.Snapshots = append(answer.Snapshots, answerSnapshot(member))
	}
	return answer
}
