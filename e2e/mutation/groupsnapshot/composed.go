// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Composed makes a driver whose groups consist of snapshots that it takes one at a time, and that can be deleted alone: its
// lists have them without group_snapshot_id. With atRest it refuses volumes that are on nodes, because it could not
// snapshot them at one moment.
func Composed(atRest bool) mutation.Fault {
	c := &composer{atRest: atRest, groups: map[string]*composition{}}
	return mutation.On(c.take).And(mutation.On(c.remove)).And(mutation.On(c.get))
}

type composer struct {
	atRest bool

	mu     sync.Mutex
	groups map[string]*composition // by id
}

type composition struct {
	name    string
	sources []string
	answer  *csi.VolumeGroupSnapshot
}

func (c *composer) take(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sources := slices.Sorted(slices.Values(r.GetSourceVolumeIds()))
	if r.GetName() == "" || len(sources) == 0 || sources[0] == "" {
		return nil, status.Error(codes.InvalidArgument, "name and source_volume_ids are required")
	}
	for _, known := range c.groups {
		switch {
		case known.name != r.GetName():
		case !slices.Equal(known.sources, sources):
			return nil, status.Error(codes.AlreadyExists, "the name has a group of other volumes")
		default:
			return &takeResponse{GroupSnapshot: proto.CloneOf(known.answer)}, nil
		}
	}
	if err := c.check(ctx, driver, sources); err != nil {
		return nil, err
	}
	group := &csi.VolumeGroupSnapshot{ReadyToUse: true}
	for i, source := range sources {
		if i > 0 && !c.atRest {
			const long = 100 * time.Millisecond // in which volumes are written to
			<-time.After(long)
		}
		taken, err := driver.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: fmt.Sprintf("%s-%d", r.GetName(), i), SourceVolumeId: source})
		if err != nil {
			removeAll(ctx, driver, group)
			return nil, err
		}
		group.Snapshots = append(group.Snapshots, taken.GetSnapshot())
	}
	group.GroupSnapshotId = "composed-" + group.GetSnapshots()[0].GetSnapshotId()
	group.CreationTime = group.GetSnapshots()[0].GetCreationTime()
	for _, member := range group.GetSnapshots() {
		member.GroupSnapshotId = group.GetGroupSnapshotId()
	}
	c.groups[group.GetGroupSnapshotId()] = &composition{r.GetName(), sources, group}
	return &takeResponse{GroupSnapshot: proto.CloneOf(group)}, nil
}

// check refuses volumes that are unknown, and volumes that are on nodes.
func (c *composer) check(ctx context.Context, driver right, sources []string) error {
	for _, source := range sources {
		volume, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: source})
		if err != nil {
			return err
		}
		if c.atRest && len(volume.GetStatus().GetPublishedNodeIds()) > 0 {
			return status.Errorf(codes.FailedPrecondition, "volume %s is published: take it from its nodes first", source)
		}
	}
	return nil
}

func removeAll(ctx context.Context, driver right, group *csi.VolumeGroupSnapshot) {
	for _, member := range group.GetSnapshots() {
		_, _ = driver.DeleteSnapshot(context.WithoutCancel(ctx), &csi.DeleteSnapshotRequest{SnapshotId: member.GetSnapshotId()})
	}
}

func (c *composer) remove(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
	if r.GetGroupSnapshotId() == "" {
		return nil, status.Error(codes.InvalidArgument, "group_snapshot_id is required")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known, found := c.groups[r.GetGroupSnapshotId()]
	if !found {
		return &deleteResponse{}, nil
	}
	if err := checkMembers(known.answer, r.GetSnapshotIds()); err != nil {
		return nil, err
	}
	removeAll(ctx, driver, known.answer)
	delete(c.groups, r.GetGroupSnapshotId())
	return &deleteResponse{}, nil
}

func (c *composer) get(_ context.Context, _ right, r *getRequest) (*getResponse, error) {
	if r.GetGroupSnapshotId() == "" {
		return nil, status.Error(codes.InvalidArgument, "group_snapshot_id is required")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known, found := c.groups[r.GetGroupSnapshotId()]
	if !found {
		return nil, status.Errorf(codes.NotFound, "there is no group snapshot %s", r.GetGroupSnapshotId())
	}
	if err := checkMembers(known.answer, r.GetSnapshotIds()); err != nil {
		return nil, err
	}
	return &getResponse{GroupSnapshot: proto.CloneOf(known.answer)}, nil
}

func checkMembers(group *csi.VolumeGroupSnapshot, ids []string) error {
	var want []string
	for _, member := range group.GetSnapshots() {
		want = append(want, member.GetSnapshotId())
	}
	slices.Sort(want)
	if !slices.Equal(want, slices.Sorted(slices.Values(ids))) {
		return status.Errorf(codes.InvalidArgument, "snapshot_ids must be %v", want)
	}
	return nil
}
