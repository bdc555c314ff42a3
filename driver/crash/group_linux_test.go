// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"
	"strconv"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// newGroup is a group snapshot to take, of the volumes with those names.
type newGroup struct {
	name  string
	of    []string
	zones int
}

// create sends CreateVolumeGroupSnapshot.
func (g newGroup) create(ctx context.Context, l *life) (proto.Message, error) {
	r := &csi.CreateVolumeGroupSnapshotRequest{Name: g.name}
	for _, of := range g.of {
		r.SourceVolumeIds = append(r.SourceVolumeIds, l.id(of))
	}
	if g.zones > 0 {
		r.Parameters = map[string]string{"zones": strconv.Itoa(g.zones)}
	}
	return l.groups.CreateVolumeGroupSnapshot(ctx, r)
}

// mustCreate takes the group without a fault. Its snapshots are named after their volumes.
func (g newGroup) mustCreate(l *life) {
	l.t.Helper()
	answer, err := l.send(g.create, fault{})
	must(l.t, err)
	group := answer.(*csi.CreateVolumeGroupSnapshotResponse).GetGroupSnapshot()
	l.names[group.GetGroupSnapshotId()] = g.name
	for _, member := range group.GetSnapshots() {
		l.names[member.GetSnapshotId()] = g.name + " of " + l.names[member.GetSourceVolumeId()]
	}
}

// deleteGroup deletes the group with that name, with the snapshots of a group of two.
func deleteGroup(name string) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.groups.DeleteVolumeGroupSnapshot(ctx, &csi.DeleteVolumeGroupSnapshotRequest{
			GroupSnapshotId: l.id(name), SnapshotIds: []string{l.id(name + " of v"), l.id(name + " of w")},
		})
	}
}

// deletionOf returns the request that deletes the group with all of its snapshots.
func deletionOf(group *csi.VolumeGroupSnapshot) *csi.DeleteVolumeGroupSnapshotRequest {
	r := &csi.DeleteVolumeGroupSnapshotRequest{GroupSnapshotId: group.GetGroupSnapshotId()}
	for _, member := range group.GetSnapshots() {
		r.SnapshotIds = append(r.SnapshotIds, member.GetSnapshotId())
	}
	return r
}
