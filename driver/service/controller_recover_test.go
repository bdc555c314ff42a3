// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// errKilled represents the end of the process.
var errKilled = errors.New("killed")

// killed makes a call during which the process ends, right before or right after a change of the disk or of the records.
func (c *testController) killed(at string, after bool, call func()) {
	c.t.Helper()
	c.watch = func(step string, taken bool) error {
		if step == at && taken == after {
			panic(errKilled)
		}
		return nil
	}
	defer func() {
		if reason, _ := recover().(error); !errors.Is(reason, errKilled) {
			c.t.Fatalf("the process was to be killed, and ended with %v", reason)
		}
	}()
	call()
}

func TestRestart(t *testing.T) {
	c := newTestController(t)
	r := with(request("volume", "Z2", "Z3"), "zones", "2")
	v := c.create(r)
	fast := c.create(with(request("fast", "Z4"), "class", "fast"))
	s, f := c.snapshot(snapshotRequest("snapshot", v)), c.snapshot(snapshotRequest("fast", fast))
	restored := c.create(restoreOf("restored", s))
	c.publish(v, "n2")
	c.restart()
	c.expectTaken(map[string]int64{"Z2": 30 * mib, "Z3": 20 * mib})
	if got := c.available("fast"); got["Z4"] != fastBytes-20*mib || got["Z2"] != fastBytes {
		t.Errorf("available of class fast are %v, want 20 MiB taken in Z4", got)
	}
	c.expectOn(v, "n2")
	if again := c.create(r); !proto.Equal(again, v) {
		t.Errorf("got %v, want %v", again, v)
	}
	if again := c.snapshot(snapshotRequest("snapshot", v)); !proto.Equal(again, s) {
		t.Errorf("got %v, want %v", again, s)
	}
	c.expectListed(restored)
	if _, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()}); err == nil {
		t.Error("a published volume was deleted")
	}
	c.deleteSnapshot(f)
	c.deleteSnapshot(s)
	c.expectTaken(map[string]int64{"Z2": 20 * mib, "Z3": 10 * mib})
}

// TestRestartWithABrokenDisk checks that operations that a restart cannot undo or finish keep their room until the call
// is repeated, which then completes them.
func TestRestartWithABrokenDisk(t *testing.T) {
	c := newTestController(t)
	growing, deleted := c.create(request("growing", "Z2")), c.create(request("deleted", "Z3"))
	s := c.snapshot(snapshotRequest("snapshot", growing))
	c.killed("Resize", true, func() { _, _ = c.ControllerExpandVolume(t.Context(), expandRequest(growing, 20*mib)) })
	c.killed("Delete", false, func() {
		_, _ = c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: deleted.GetVolumeId()})
	})
	c.killed("Create", true, func() { _, _ = c.CreateVolume(t.Context(), request("created", "Z4")) })
	c.killed("DeleteSnapshot", false, func() {
		_, _ = c.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: s.GetSnapshotId()})
	})
	c.watch = func(step string, taken bool) error {
		if step == "Resize" || step == "Delete" || step == "DeleteSnapshot" {
			return errors.New("the disk is on fire")
		}
		return nil
	}
	if err := c.store.Close(); err != nil {
		t.Fatal(err)
	}
	c.start()
	c.expectTaken(map[string]int64{"Z2": 30 * mib, "Z3": 10 * mib, "Z4": 10 * mib})
	c.expectBytes(growing, 10*mib)

	c.watch = nil
	if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(growing, 20*mib)); err != nil {
		t.Error(err)
	}
	c.expectBytes(growing, 20*mib)
	c.delete(deleted)
	created := c.create(request("created", "Z5"))
	c.deleteSnapshot(s)
	c.expectTaken(map[string]int64{"Z2": 20 * mib, "Z5": 10 * mib})
	c.expectDisk(growing.GetVolumeId(), created.GetVolumeId())
	if got := c.snapshotsOnDisk(); got != 0 {
		t.Errorf("%d snapshots are on disk, want none", got)
	}
}

// TestRestartWithFewerKinds checks that volumes of a kind that is no longer offered stay usable, and that no new ones are
// created.
func TestRestartWithFewerKinds(t *testing.T) {
	c := newTestController(t)
	v := c.create(with(request("volume", "Z2"), "kind", "memory"))
	c.kinds = c.kinds[:1]
	c.restart()
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	c.publish(v, "n2")
	if _, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 10*mib+1)); err != nil {
		t.Error(err)
	}
	c.expectBytes(v, 10*mib+1)
	_, err := c.CreateVolume(t.Context(), with(request("another"), "kind", "memory"))
	expectRefused(t, err, codes.InvalidArgument, `must be one of ["image"], and is "memory"`)
	if _, err := c.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId()}); err != nil {
		t.Fatal(err)
	}
	c.delete(v)
	c.expectTaken(nil)
}
