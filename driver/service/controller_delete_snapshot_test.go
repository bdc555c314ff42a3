// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
)

func (c *testController) deleteSnapshot(s *csi.Snapshot) {
	c.t.Helper()
	if _, err := c.DeleteSnapshot(c.t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: s.GetSnapshotId()}); err != nil {
		c.t.Fatalf("deleting %s: %v", s.GetSnapshotId(), err)
	}
}

// TestDeleteSnapshot checks that a snapshot and its volume can be deleted independently (DV-03), and so can a volume made
// from a snapshot.
func TestDeleteSnapshot(t *testing.T) {
	c := newTestController(t)
	v := c.create(with(request("volume", "Z2", "Z3"), "zones", "2"))
	first, second := c.snapshot(snapshotRequest("first", v)), c.snapshot(snapshotRequest("second", v))
	c.expectTaken(map[string]int64{"Z2": 30 * mib, "Z3": 30 * mib})
	for range 2 {
		c.deleteSnapshot(first)
		c.expectTaken(map[string]int64{"Z2": 20 * mib, "Z3": 20 * mib})
		if got := c.memory.SnapshotIDs(); len(got) != 1 || got[0] != second.GetSnapshotId() {
			t.Errorf("on disk are %v, want %s", got, second.GetSnapshotId())
		}
	}
	c.expectDisk(v.GetVolumeId())
	c.delete(v)
	c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 10 * mib})
	restored := c.create(restoreOf("restored", second))
	c.deleteSnapshot(second)
	c.expectDisk(restored.GetVolumeId())
	c.delete(restored)
	c.expectTaken(nil)
	again := c.create(request("volume", "Z2"))
	if s := c.snapshot(snapshotRequest("first", again)); s.GetSnapshotId() == first.GetSnapshotId() {
		t.Errorf("a new snapshot got the id of one that was deleted: %s", s.GetSnapshotId())
	}
}

func TestDeleteSnapshotThatIsNone(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume"))
	for _, id := range []string{"image-" + uuid.NewString(), v.GetVolumeId(), "x", "../../etc", "a\x00b", "records.db", strings.Repeat("s", 128)} {
		if _, err := c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: id}); err != nil {
			t.Errorf("snapshot %q: %v", id, err)
		}
	}
	c.expectDisk(v.GetVolumeId())
	_, err := c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{})
	expectRefused(t, err, codes.InvalidArgument, "snapshot_id is required")
	_, err = c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: strings.Repeat("s", 129)})
	expectRefused(t, err, codes.InvalidArgument, "snapshot_id has 129 bytes")
}

// TestDeleteSnapshotThatFailsOnDisk checks that a snapshot whose deletion failed still takes room and is still listed,
// but is no longer ready to use; deleting it again continues where it stopped, and so does a call for its name.
func TestDeleteSnapshotThatFailsOnDisk(t *testing.T) {
	for _, after := range []bool{false, true} {
		c := newTestController(t)
		v := c.create(request("volume", "Z2"))
		s := c.snapshot(snapshotRequest("snapshot", v))
		c.watch = failing("DeleteSnapshot", after, errors.New("the disk is on fire"))
		_, err := c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: s.GetSnapshotId()})
		expectRefused(t, err, codes.Internal, "the disk is on fire")
		c.expectTaken(map[string]int64{"Z2": 20 * mib})
		list, err := c.ListSnapshots(t.Context(), &csi.ListSnapshotsRequest{})
		if err != nil || len(list.GetEntries()) != 1 || list.GetEntries()[0].GetSnapshot().GetReadyToUse() {
			t.Errorf("got %v and %v, want the snapshot listed, and not ready to use", list, err)
		}
		_, err = c.CreateVolume(t.Context(), restoreOf("restored", s))
		expectRefused(t, err, codes.Aborted, "is being deleted")

		c.watch = nil
		if after {
			c.deleteSnapshot(s)
			c.expectTaken(map[string]int64{"Z2": 10 * mib})
			continue
		}
		heir := c.snapshot(snapshotRequest("snapshot", v))
		c.expectTaken(map[string]int64{"Z2": 20 * mib})
		if got := c.memory.SnapshotIDs(); len(got) != 1 || got[0] != heir.GetSnapshotId() {
			t.Errorf("on disk are %v, want %s", got, heir.GetSnapshotId())
		}
	}
}
