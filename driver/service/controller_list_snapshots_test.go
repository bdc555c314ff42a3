// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// listSnapshots returns all entries of a list, which it reads page by page.
func (c *testController) listSnapshots(r *csi.ListSnapshotsRequest) []*csi.Snapshot {
	c.t.Helper()
	var all []*csi.Snapshot
	for {
		page, err := c.ListSnapshots(c.t.Context(), r)
		if err != nil {
			c.t.Fatal(err)
		}
		if r.GetMaxEntries() > 0 && len(page.GetEntries()) > int(r.GetMaxEntries()) {
			c.t.Fatalf("a page has %d entries, and may have %d", len(page.GetEntries()), r.GetMaxEntries())
		}
		for _, entry := range page.GetEntries() {
			all = append(all, entry.GetSnapshot())
		}
		if r.StartingToken = page.GetNextToken(); r.GetStartingToken() == "" {
			return all
		}
		if len(page.GetEntries()) == 0 {
			c.t.Fatal("a page that others follow has no entries")
		}
	}
}

// TestListSnapshotsWhileTheyChange checks that a token stays valid, and that no snapshot is skipped, whatever is deleted
// and taken between two pages.
func TestListSnapshotsWhileTheyChange(t *testing.T) {
	for name, filter := range map[string]func(*csi.Volume) string{
		"all":         func(*csi.Volume) string { return "" },
		"of a volume": (*csi.Volume).GetVolumeId,
	} {
		t.Run(name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			var taken []*csi.Snapshot
			for i := range 5 {
				taken = append(taken, c.snapshot(snapshotRequest(fmt.Sprint(i), v)))
			}
			first, err := c.ListSnapshots(t.Context(), &csi.ListSnapshotsRequest{MaxEntries: 2, SourceVolumeId: filter(v)})
			if err != nil || len(first.GetEntries()) != 2 || first.GetNextToken() == "" {
				t.Fatalf("got %v and %v, want two snapshots and a token", first, err)
			}
			for _, s := range taken[:3] {
				c.deleteSnapshot(s)
			}
			late := c.snapshot(snapshotRequest("late", v))
			rest := c.listSnapshots(&csi.ListSnapshotsRequest{MaxEntries: 2, SourceVolumeId: filter(v), StartingToken: first.GetNextToken()})
			want := []*csi.Snapshot{taken[3], taken[4], late}
			if !slices.EqualFunc(rest, want, func(a, b *csi.Snapshot) bool { return proto.Equal(a, b) }) {
				t.Errorf("got  %v\nwant %v", rest, want)
			}
		})
	}
}
