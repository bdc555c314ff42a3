// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func TestListVolumes(t *testing.T) {
	c := newTestController(t)
	want := map[string]*csi.Volume{}
	for i := range 5 {
		v := c.create(request(fmt.Sprint(i), "Z2"))
		want[v.GetVolumeId()] = v
	}
	published := c.create(request("published", "Z3"))
	want[published.GetVolumeId()] = published
	c.publish(published, "n3")

	for _, entries := range []int32{0, 1, 2, 4, 6, 7} {
		t.Run(fmt.Sprintf("in pages of %d", entries), func(t *testing.T) {
			got := map[string]*csi.Volume{}
			var order []string
			token := ""
			for {
				page, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{MaxEntries: entries, StartingToken: token})
				if err != nil {
					t.Fatal(err)
				}
				if entries > 0 && len(page.GetEntries()) > int(entries) {
					t.Fatalf("a page has %d entries", len(page.GetEntries()))
				}
				for _, entry := range page.GetEntries() {
					got[entry.GetVolume().GetVolumeId()] = entry.GetVolume()
					order = append(order, entry.GetVolume().GetVolumeId())
					var nodes []string
					if proto.Equal(entry.GetVolume(), published) {
						nodes = []string{"n3"}
					}
					if entry.GetStatus() == nil || !slices.Equal(entry.GetStatus().GetPublishedNodeIds(), nodes) {
						t.Errorf("got %v, want it published on %v", entry, nodes)
					}
				}
				if token = page.GetNextToken(); token == "" {
					break
				}
			}
			if len(order) != len(want) || !slices.IsSorted(order) {
				t.Errorf("got %v, want %d volumes, each once, in order", order, len(want))
			}
			for id, v := range want {
				if !proto.Equal(got[id], v) {
					t.Errorf("got %v, want %v", got[id], v)
				}
			}
		})
	}
}

// A token stays good when the volume it was made from is deleted.
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

func TestListVolumesRefuses(t *testing.T) {
	c := newTestController(t)
	c.create(request("volume", "Z2"))
	for _, token := range []string{"0", "1", "invalid-token", "../x", uuid.NewString(), "image-" + strings.ToUpper(uuid.NewString()), "tape-" + uuid.NewString(), strings.Repeat("0", 1<<12)} {
		_, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{StartingToken: token})
		expectRefused(t, err, codes.Aborted, "starting_token")
	}
	_, err := c.ListVolumes(t.Context(), &csi.ListVolumesRequest{MaxEntries: -1})
	expectRefused(t, err, codes.InvalidArgument, "max_entries must not be negative")
}
