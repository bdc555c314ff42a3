// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
)

// groupKeeper simulates a driver with one volume, and group snapshots by their ids. The next group gets the id g2.
type groupKeeper struct{ names map[string]string }

func (k *groupKeeper) Invoke(_ context.Context, _ string, request, response any, _ ...grpc.CallOption) error {
	switch q := request.(type) {
	case *csi.CreateVolumeRequest:
		proto.Merge(response.(proto.Message), &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v"}})
	case *csi.CreateVolumeGroupSnapshotRequest:
		id := "g2"
		for known, name := range k.names {
			if name == q.GetName() {
				id = known
			}
		}
		k.names[id] = q.GetName()
		proto.Merge(response.(proto.Message), &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: &csi.VolumeGroupSnapshot{
			GroupSnapshotId: id, Snapshots: []*csi.Snapshot{{SnapshotId: "of " + id, SourceVolumeId: "v", GroupSnapshotId: id}},
		}})
	case *csi.GetVolumeGroupSnapshotRequest:
		if _, there := k.names[q.GetGroupSnapshotId()]; !there {
			return status.Error(codes.NotFound, "no such group snapshot")
		}
	case *csi.DeleteVolumeGroupSnapshotRequest:
		delete(k.names, q.GetGroupSnapshotId())
	}
	return nil
}

func (*groupKeeper) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	panic("no call of the test has a stream")
}

// TestRecalledGroups checks that clean-up after a killed run finds the group snapshots of a name that the run has used
// again.
func TestRecalledGroups(t *testing.T) {
	const run, name = "run1", "csi-topo-run1-group"
	sent := func(n int64, method string, request any) journal.Line {
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		return journal.Line{Sent: &journal.Sent{N: n, Method: method, Request: text}}
	}
	create := func(n int64) journal.Line {
		return sent(n, csi.GroupController_CreateVolumeGroupSnapshot_FullMethodName, map[string]any{"name": name, "source_volume_ids": []string{"v"}})
	}
	answered := func(n int64, id string) journal.Line {
		return journal.Line{Answered: &journal.Answered{N: n, ID: id, Members: []journal.Member{{ID: "of " + id, Volume: "v"}}}}
	}
	volume := []journal.Line{
		sent(10, csi.Controller_CreateVolume_FullMethodName, map[string]any{
			"name": "csi-topo-run1-volume", "volume_capabilities": []any{map[string]any{"mount": map[string]any{}, "access_mode": map[string]any{"mode": "SINGLE_NODE_WRITER"}}},
		}),
		{Answered: &journal.Answered{N: 10, ID: "v"}},
	}
	remove := sent(2, csi.GroupController_DeleteVolumeGroupSnapshot_FullMethodName, map[string]any{"group_snapshot_id": "g1"})
	for _, test := range []struct {
		name        string
		lines       []journal.Line
		there, want map[string]string // names by ids
		left        string
	}{
		{"it is still there", []journal.Line{create(1), answered(1, "g1")}, map[string]string{"g1": name}, map[string]string{}, ""},
		{"its deletion was under way", []journal.Line{create(1), answered(1, "g1"), remove}, map[string]string{}, map[string]string{}, ""},
		{"the run was making another", []journal.Line{create(1), answered(1, "g1"), remove, create(3)}, map[string]string{"g2": name}, map[string]string{}, ""},
		{"somebody else was given the id", []journal.Line{create(1), answered(1, "g1")}, map[string]string{"g1": "theirs"}, map[string]string{"g1": "theirs", "g2": name}, "g1"},
	} {
		onFakeTime(t, test.name, func(t *testing.T) {
			keeper := &groupKeeper{names: maps.Clone(test.there)}
			limits := profile.Timeouts{Provision: time.Second, Query: time.Second, Cleanup: time.Second, Restart: time.Second, Settle: time.Second}
			suite := New(&Target{Controller: keeper, Run: run, Timeouts: limits})
			recalled, err := suite.Recall(t.Context(), slices.Concat(volume, test.lines))
			if err != nil {
				t.Fatal(err)
			}
			left := strings.Join(recalled.Remove(t.Context()), "\n")
			if !maps.Equal(keeper.names, test.want) {
				t.Errorf("the driver has %v, want %v", keeper.names, test.want)
			}
			if (left == "") != (test.left == "") || !strings.Contains(left, test.left) {
				t.Errorf("got left %q, want %q", left, test.left)
			}
		})
	}
}

// TestRecalledDirectories checks that clean-up names the directories of a killed run only where they may be left.
func TestRecalledDirectories(t *testing.T) {
	root := paths.Local(t.TempDir())
	left, gone := path.Join(root.Root(), "case-1", "pod"), path.Join(root.Root(), "case-2", "pod")
	if err := root.Make(t.Context(), "", left); err != nil {
		t.Fatal(err)
	}
	driver := &groupKeeper{}
	suite := New(&Target{Controller: driver, Nodes: []grpc.ClientConnInterface{driver}, Paths: root, Run: "run1", Timeouts: profile.DefaultTimeouts()})
	recalled, err := suite.Recall(t.Context(), []journal.Line{{Made: &journal.Made{Path: left}}, {Made: &journal.Made{Path: gone}}})
	if err != nil {
		t.Fatal(err)
	}
	if entries := recalled.Entries(); len(entries) != 1 || !strings.Contains(entries[0], left) {
		t.Errorf("got %q, want %s alone", entries, left)
	}
}
