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

func TestDeleteVolume(t *testing.T) {
	c := newTestController(t)
	r := request("volume", "Z2", "Z3")
	r.Parameters = map[string]string{"zones": "2"}
	v := c.create(r)
	c.expectTaken(map[string]int64{"Z2": 10 * mib, "Z3": 10 * mib})
	for range 2 {
		if _, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()}); err != nil {
			t.Fatal(err)
		}
		c.expectTaken(nil)
		c.expectDisk()
	}
	if again := c.create(r); again.GetVolumeId() == v.GetVolumeId() {
		t.Errorf("a new volume got the id of one that was deleted: %s", again.GetVolumeId())
	}
}

func TestDeleteVolumeThatIsNone(t *testing.T) {
	c := newTestController(t)
	for _, id := range []string{uuid.NewString(), "x", "../../etc", "a\x00b", "state.db", strings.Repeat("v", 128)} {
		if _, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
			t.Errorf("volume %q: %v", id, err)
		}
	}
}

func TestDeleteVolumeRefuses(t *testing.T) {
	c := newTestController(t)
	_, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{})
	expectRefused(t, err, codes.InvalidArgument, "volume_id is required")
	_, err = c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: strings.Repeat("v", 129)})
	expectRefused(t, err, codes.InvalidArgument, "volume_id has 129 bytes")

	v := c.create(request("volume", "Z2"))
	c.publish(v, "n2")
	_, err = c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
	expectRefused(t, err, codes.FailedPrecondition, `is published on node "n2"`)
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	c.expectDisk(v.GetVolumeId())
}

// A volume whose deletion failed still counts and is still listed, but cannot be
// used; deleting it again goes on where it stopped, and so does what wants its name.
func TestDeleteVolumeThatFailsOnDisk(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	c.watch = failing("Delete", false, errors.New("the disk is on fire"))
	_, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.GetVolumeId()})
	expectRefused(t, err, codes.Internal, "the disk is on fire")
	c.expectTaken(map[string]int64{"Z2": 10 * mib})
	if list, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{}); err != nil || len(list.GetEntries()) != 1 {
		t.Errorf("got %v and %v, want the volume listed", list, err)
	}
	for name, use := range map[string]func() error{
		"publish": func() error {
			_, err := c.ControllerPublishVolume(t.Context(), publishRequest(v, "n2"))
			return err
		},
		"expand": func() error {
			_, err := c.ControllerExpandVolume(t.Context(), expandRequest(v, 20*mib))
			return err
		},
		"modify": func() error {
			_, err := c.ControllerModifyVolume(t.Context(), modifyRequest(v, "thick"))
			return err
		},
		"snapshot": func() error {
			_, err := c.CreateSnapshot(t.Context(), snapshotRequest("snapshot", v))
			return err
		},
		"clone": func() error {
			_, err := c.CreateVolume(t.Context(), cloneOf("clone", v))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { expectRefused(t, use(), codes.Aborted, "is being deleted") })
	}

	c.watch = nil
	c.delete(v)
	c.expectTaken(nil)
	c.expectDisk()

	c.watch = failing("Delete", true, errors.New("the disk is on fire"))
	second := c.create(request("volume", "Z2"))
	_, err = c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: second.GetVolumeId()})
	expectRefused(t, err, codes.Internal, "the disk is on fire")
	c.watch = nil
	heir := c.create(request("volume", "Z3"))
	c.expectTaken(map[string]int64{"Z3": 10 * mib})
	c.expectDisk(heir.GetVolumeId())
}
