// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/service"
)

// groups returns the GroupController service of the controller; a restart makes a new one.
func (c *testController) groups() *service.GroupController {
	return service.NewGroupController(c.Controller)
}

func groupRequest(name string, volumes ...*csi.Volume) *csi.CreateVolumeGroupSnapshotRequest {
	r := &csi.CreateVolumeGroupSnapshotRequest{Name: name}
	for _, v := range volumes {
		r.SourceVolumeIds = append(r.SourceVolumeIds, v.GetVolumeId())
	}
	return r
}

// group takes a group snapshot, which must succeed.
func (c *testController) group(r *csi.CreateVolumeGroupSnapshotRequest) *csi.VolumeGroupSnapshot {
	c.t.Helper()
	response, err := c.groups().CreateVolumeGroupSnapshot(c.t.Context(), r)
	if err != nil {
		c.t.Fatalf("taking %s: %v", r.GetName(), err)
	}
	return response.GetGroupSnapshot()
}

func membersOf(group *csi.VolumeGroupSnapshot) []string {
	var ids []string
	for _, member := range group.GetSnapshots() {
		ids = append(ids, member.GetSnapshotId())
	}
	return ids
}

func (c *testController) getGroup(group *csi.VolumeGroupSnapshot, members ...string) (*csi.VolumeGroupSnapshot, error) {
	response, err := c.groups().GetVolumeGroupSnapshot(c.t.Context(), &csi.GetVolumeGroupSnapshotRequest{GroupSnapshotId: group.GetGroupSnapshotId(), SnapshotIds: members})
	return response.GetGroupSnapshot(), err
}

func (c *testController) deleteGroup(group *csi.VolumeGroupSnapshot, members ...string) error {
	_, err := c.groups().DeleteVolumeGroupSnapshot(c.t.Context(), &csi.DeleteVolumeGroupSnapshotRequest{GroupSnapshotId: group.GetGroupSnapshotId(), SnapshotIds: members})
	return err
}

func TestGroupSnapshot(t *testing.T) {
	c := newTestController(t)
	image, dir := c.create(with(request("image", "Z2", "Z3"), "zones", "2")), c.create(with(request("dir", "Z4"), "kind", "dir"))
	r := groupRequest("group", image, dir)
	group := c.group(r)
	if got := membersOf(group); len(got) != 2 || !group.GetReadyToUse() || len(c.memory.SnapshotIDs()) != 2 {
		t.Fatalf("got %v, and on disk are %v, want two snapshots that are ready", group, c.memory.SnapshotIDs())
	}
	where := map[string]string{image.GetVolumeId(): "Z2 Z3", dir.GetVolumeId(): "Z4"}
	for _, member := range group.GetSnapshots() {
		if want := where[member.GetSourceVolumeId()]; zonesOf(member) != want || member.GetGroupSnapshotId() != group.GetGroupSnapshotId() || !proto.Equal(member.GetCreationTime(), group.GetCreationTime()) {
			t.Errorf("got %v, want one in %s, taken with its group", member, want)
		}
		_, err := c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: member.GetSnapshotId()})
		expectRefused(t, err, codes.InvalidArgument, "is part of group snapshot")
	}
	taken := map[string]int64{"Z2": 20 * mib, "Z3": 20 * mib, "Z4": 20 * mib}
	c.expectTaken(taken)

	slices.Reverse(r.SourceVolumeIds)
	for _, restarted := range []bool{false, true} {
		if restarted {
			c.restart()
		}
		if again := c.group(r); !proto.Equal(again, group) {
			t.Errorf("asked again, got %v, want %v", again, group)
		}
		if got, err := c.getGroup(group, membersOf(group)...); err != nil || !proto.Equal(got, group) {
			t.Errorf("GetVolumeGroupSnapshot: got %v and %v, want %v", got, err, group)
		}
		c.expectTaken(taken)
	}
	if got := c.listSnapshots(&csi.ListSnapshotsRequest{SourceVolumeId: image.GetVolumeId()}); len(got) != 1 || got[0].GetGroupSnapshotId() != group.GetGroupSnapshotId() {
		t.Errorf("listed are %v, want the snapshot of the group", got)
	}

	_, err := c.getGroup(group, membersOf(group)[:1]...)
	expectRefused(t, err, codes.InvalidArgument, "snapshot_ids must be the ids of group snapshot")
	expectRefused(t, c.deleteGroup(group), codes.InvalidArgument, "snapshot_ids must be the ids of group snapshot")
	restored := c.create(restoreOf("restored", group.GetSnapshots()[slices.IndexFunc(group.GetSnapshots(), func(s *csi.Snapshot) bool { return s.GetSourceVolumeId() == image.GetVolumeId() })]))
	for range 2 {
		if err := c.deleteGroup(group, membersOf(group)...); err != nil {
			t.Error(err)
		}
	}
	_, err = c.getGroup(group, membersOf(group)...)
	expectRefused(t, err, codes.NotFound, "there is no group snapshot")
	c.delete(restored)
	c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 10 * mib, "Z4": 10 * mib})
	if got := c.snapshotsOnDisk(); got != 0 {
		t.Errorf("%d snapshots are on disk, want none", got)
	}
	c.group(groupRequest("group", dir)) // the name is free
}

func TestGroupSnapshotRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.CreateVolumeGroupSnapshotRequest)
		code   codes.Code
		want   string
	}{
		{"no name", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.Name = "" }, codes.InvalidArgument, "name is required"},
		{"no volumes", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.SourceVolumeIds = nil }, codes.InvalidArgument, "source_volume_ids is required"},
		{"an empty id", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.SourceVolumeIds[0] = "" }, codes.InvalidArgument, "source_volume_ids is required"},
		{"an id too long", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.SourceVolumeIds[0] = strings.Repeat("v", 129) }, codes.InvalidArgument, "129 bytes"},
		{"a volume twice", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.SourceVolumeIds[1] = r.GetSourceVolumeIds()[0] }, codes.InvalidArgument, "twice"},
		{"an unknown volume", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.SourceVolumeIds[1] = "image-" + uuid.NewString() }, codes.NotFound, "there is no volume"},
		{"an unknown parameter", func(r *csi.CreateVolumeGroupSnapshotRequest) { r.Parameters = map[string]string{"class": "fast"} }, codes.InvalidArgument, "is unknown"},
		{"room for one only", func(*csi.CreateVolumeGroupSnapshotRequest) {}, codes.ResourceExhausted, "finding room for a snapshot of volume"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			volumes := []*csi.Volume{c.create(request("a", "Z2")), c.create(request("b", "Z3"))}
			c.create(sized(request("filler", "Z3"), segmentBytes-20*mib+1))
			r := groupRequest("group", volumes...)
			test.change(r)
			_, err := c.groups().CreateVolumeGroupSnapshot(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": segmentBytes - 10*mib + 1})
			if got := c.snapshotsOnDisk(); got != 0 {
				t.Errorf("%d snapshots are on disk, want none", got)
			}
			c.group(groupRequest("group", volumes[0])) // the name is free
		})
	}
}

func TestGroupSnapshotThatExists(t *testing.T) {
	c := newTestController(t)
	a, b := c.create(with(request("a", "Z2", "Z3"), "zones", "2")), c.create(with(request("b", "Z2", "Z3"), "zones", "2"))
	c.group(groupRequest("group", a, b))
	for _, volumes := range [][]*csi.Volume{{a}, {b}} {
		_, err := c.groups().CreateVolumeGroupSnapshot(t.Context(), groupRequest("group", volumes...))
		expectRefused(t, err, codes.AlreadyExists, "exists and is of the volumes")
	}
	other := groupRequest("group", a, b)
	other.Parameters = map[string]string{"zones": "1"}
	_, err := c.groups().CreateVolumeGroupSnapshot(t.Context(), other)
	expectRefused(t, err, codes.AlreadyExists, `another parameter "zones"`)
	other.Name = "one zone"
	for _, member := range c.group(other).GetSnapshots() {
		if len(member.GetAccessibleTopology()) != 1 {
			t.Errorf("got %v, want a snapshot in one zone", member)
		}
	}
}

// TestGroupSnapshotOfAPublishedVolume checks that a published volume is refused, because it may change while another is
// copied.
func TestGroupSnapshotOfAPublishedVolume(t *testing.T) {
	c := newTestController(t)
	a, b := c.create(request("a", "Z2")), c.create(request("b", "Z2"))
	c.publish(b, "n2")
	_, err := c.groups().CreateVolumeGroupSnapshot(t.Context(), groupRequest("group", a, b))
	expectRefused(t, err, codes.FailedPrecondition, "published on")
	if got := c.snapshotsOnDisk(); got != 0 {
		t.Errorf("%d snapshots are on disk, want none", got)
	}
}

// TestGroupSnapshotOnABrokenDisk checks that a creation or deletion that fails or is
// cut off leaves no part of the group.
func TestGroupSnapshotOnABrokenDisk(t *testing.T) {
	c := newTestController(t)
	a, b := c.create(request("a", "Z2")), c.create(request("b", "Z2"))
	left := 1
	c.watch = func(step string, taken bool) error {
		if step != "CreateSnapshot" || taken {
			return nil
		}
		if left--; left < 0 {
			return errors.New("the disk is on fire")
		}
		return nil
	}
	_, err := c.groups().CreateVolumeGroupSnapshot(t.Context(), groupRequest("group", a, b))
	expectRefused(t, err, codes.Internal, "the disk is on fire")
	c.expectTaken(map[string]int64{"Z2": 20 * mib})
	if got := c.snapshotsOnDisk(); got != 0 {
		t.Errorf("%d snapshots are on disk, want none", got)
	}

	c.watch = nil
	group := c.group(groupRequest("group", a, b))
	c.killed("DeleteSnapshot", true, func() { _ = c.deleteGroup(group, membersOf(group)...) })
	c.restart()
	c.expectTaken(map[string]int64{"Z2": 20 * mib})
	c.killed("CreateSnapshot", true, func() { _, _ = c.groups().CreateVolumeGroupSnapshot(t.Context(), groupRequest("another", a, b)) })
	c.restart()
	c.expectTaken(map[string]int64{"Z2": 20 * mib})
	if got := c.snapshotsOnDisk(); got != 0 {
		t.Errorf("%d snapshots are on disk, want none", got)
	}
}
