// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

// TestDeleteVolumeThatFailsOnDisk checks that a volume whose deletion failed still takes room and is still listed, but
// cannot be used; deleting it again continues where it stopped, and so does a call for its name.
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
