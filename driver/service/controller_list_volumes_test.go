// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"fmt"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// TestListVolumesAfterADeletion checks that a token stays valid when the volume it was made from is deleted.
func TestListVolumesAfterADeletion(t *testing.T) {
	c := newTestController(t)
	for i := range 4 {
		c.create(request(fmt.Sprint(i), "Z2"))
	}
	first, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{MaxEntries: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range first.GetEntries() {
		if _, err := c.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: entry.GetVolume().GetVolumeId()}); err != nil {
			t.Fatal(err)
		}
	}
	second, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{MaxEntries: 2, StartingToken: first.GetNextToken()})
	if err != nil || len(second.GetEntries()) != 2 || second.GetNextToken() != "" {
		t.Errorf("got %v and %v, want the two volumes that are left", second, err)
	}
}
