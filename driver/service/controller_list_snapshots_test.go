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

// listSnapshots returns all that a list has, page by page.
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

func TestListSnapshots(t *testing.T) {
	c := newTestController(t)
	first, second, none := c.create(request("first", "Z2")), c.create(request("second", "Z3")), c.create(request("none", "Z4"))
	var all, ofFirst, ofSecond []*csi.Snapshot
	for i := range 4 { // in turn, so that what belongs to one volume is not in a row
		s := c.snapshot(snapshotRequest(fmt.Sprintf("first-%d", i), first))
		ofFirst, all = append(ofFirst, s), append(all, s)
		s = c.snapshot(snapshotRequest(fmt.Sprintf("second-%d", i), second))
		ofSecond, all = append(ofSecond, s), append(all, s)
	}
	c.delete(second) // whose snapshots stay (DV-03)
	one := ofFirst[2]
	for _, test := range []struct {
		name     string
		volume   string
		snapshot string
		want     []*csi.Snapshot
	}{
		{"all", "", "", all},
		{"of a volume", first.GetVolumeId(), "", ofFirst},
		{"of a volume that has gone", second.GetVolumeId(), "", ofSecond},
		{"of a volume without any", none.GetVolumeId(), "", nil},
		{"of an unknown volume", "image-" + uuid.NewString(), "", nil},
		{"of what is the beginning of a volume's id", first.GetVolumeId()[:8], "", nil},
		{"of what holds NUL", first.GetVolumeId() + "\x00" + one.GetSnapshotId()[:8], "", nil},
		{"one", "", one.GetSnapshotId(), []*csi.Snapshot{one}},
		{"one of its volume", first.GetVolumeId(), one.GetSnapshotId(), []*csi.Snapshot{one}},
		{"one of another volume", second.GetVolumeId(), one.GetSnapshotId(), nil},
		{"an unknown one", "", "image-" + uuid.NewString(), nil},
		{"what is no snapshot", "", "../x", nil},
	} {
		for _, entries := range []int32{0, 1, 3, 4, 8, 9} {
			t.Run(fmt.Sprintf("%s, in pages of %d", test.name, entries), func(t *testing.T) {
				got := c.listSnapshots(&csi.ListSnapshotsRequest{MaxEntries: entries, SourceVolumeId: test.volume, SnapshotId: test.snapshot})
				if !slices.EqualFunc(got, test.want, func(a, b *csi.Snapshot) bool { return proto.Equal(a, b) }) {
					t.Errorf("got  %v\nwant %v", got, test.want)
				}
			})
		}
	}
}

// A token stays good, and nothing is passed over, whatever is deleted and taken
// between two pages.
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

func TestListSnapshotsRefuses(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	s := c.snapshot(snapshotRequest("snapshot", v))
	for _, token := range []string{"0", "1", "invalid-token", "../x", uuid.NewString(), "image-" + strings.ToUpper(uuid.NewString()), strings.Repeat("0", 1<<12)} {
		for _, r := range []*csi.ListSnapshotsRequest{{}, {SourceVolumeId: v.GetVolumeId()}, {SnapshotId: s.GetSnapshotId()}} {
			r.StartingToken = token
			_, err := c.ListSnapshots(t.Context(), r)
			expectRefused(t, err, codes.Aborted, "starting_token")
		}
	}
	_, err := c.ListSnapshots(t.Context(), &csi.ListSnapshotsRequest{MaxEntries: -1})
	expectRefused(t, err, codes.InvalidArgument, "max_entries must not be negative")
}
