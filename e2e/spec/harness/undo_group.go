// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// noteAnsweredOfGroup is like noteAnswered, for group snapshots. Their snapshots are entered and struck with them.
func noteAnsweredOfGroup(d *Driver, request, response any, err error) {
	switch r := request.(type) {
	case *csi.CreateVolumeGroupSnapshotRequest:
		taken := response.(*csi.CreateVolumeGroupSnapshotResponse)
		if id := taken.GetGroupSnapshot().GetGroupSnapshotId(); err == nil && claim(d, own.Group, id, r, taken) {
			claimMembers(d, r, taken.GetGroupSnapshot().GetSnapshots())
			enterGroup(d, id, snapshotIDs(taken.GetGroupSnapshot()))
		}
		if err == nil || !statuses.LeavesOpen(status.Code(err)) {
			d.ledger.Strike(string(own.Group) + ledger.Named + r.GetName())
		}
	case *csi.DeleteVolumeGroupSnapshotRequest:
		if err != nil {
			return
		}
		d.health.Own.Delete(own.Group, r.GetGroupSnapshotId())
		for _, id := range r.GetSnapshotIds() {
			d.health.Own.Delete(own.Snapshot, id)
		}
		d.ledger.Strike("group snapshot " + r.GetGroupSnapshotId())
	}
}

// snapshotIDs returns the ids of the snapshots of a group, each once.
func snapshotIDs(group *csi.VolumeGroupSnapshot) []string {
	var ids []string
	for _, member := range group.GetSnapshots() {
		if id := member.GetSnapshotId(); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func enterGroup(d *Driver, id string, members []string) {
	d.ledger.Add(ledger.Entry{What: "group snapshot " + id, Kind: "group snapshot", By: "DeleteVolumeGroupSnapshot", With: members, Undo: func(ctx context.Context) error {
		return deleteGroup(ctx, d, id, members)
	}})
}

// deleteGroup is like deleteVolume, for a group snapshot. A group with a snapshot that has turned out to belong to
// someone else is left.
func deleteGroup(ctx context.Context, d *Driver, id string, members []string) error {
	foreign := func(id string) bool { return d.health.Own.Why(own.Snapshot, id) != "" }
	if id == "" || d.health.Own.Why(own.Group, id) != "" || slices.ContainsFunc(members, foreign) {
		return nil
	}
	if gone, err := d.recalled.mustBeNamed(ctx, own.Group, id); gone || err != nil {
		return err
	}
	_, err := d.Groups.DeleteVolumeGroupSnapshot(ctx, &csi.DeleteVolumeGroupSnapshotRequest{
		GroupSnapshotId: id, SnapshotIds: members, Secrets: d.Profile().Secrets.GroupSnapshot,
	})
	return err
}

// removeGroupNamed is like removeNamed, for a group snapshot.
func removeGroupNamed(ctx context.Context, d *Driver, r *csi.CreateVolumeGroupSnapshotRequest) error {
	made, err := d.Groups.CreateVolumeGroupSnapshot(ctx, proto.CloneOf(r))
	if err != nil {
		return unlessNothing(ctx, err, d.Held.ListSnapshots, d.before.Snapshots, d.knowsSnapshot)
	}
	return deleteGroup(ctx, d, made.GetGroupSnapshot().GetGroupSnapshotId(), snapshotIDs(made.GetGroupSnapshot()))
}

// knowsSnapshot reports whether the case has the snapshot to remove, by itself or with its group.
func (d *Driver) knowsSnapshot(id string) bool {
	return d.ledger.Has("snapshot "+id) || d.health.Own.Keeps(own.Snapshot, id)
}
