// SPDX-License-Identifier: Apache-2.0

package pernode

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// node is a node with a controller that records its volumes.
type node struct {
	grpc.ClientConnInterface
	name    string
	volumes []string
	listed  string // the last request for snapshots
}

func (n *node) Invoke(_ context.Context, _ string, request, response any, _ ...grpc.CallOption) error {
	switch r := request.(type) {
	case *csi.NodeGetInfoRequest:
		proto.Merge(response.(proto.Message), &csi.NodeGetInfoResponse{NodeId: n.name, AccessibleTopology: topologyOf(n.name)})
	case *csi.CreateVolumeRequest:
		n.volumes = append(n.volumes, n.name+"/"+r.GetName())
		proto.Merge(response.(proto.Message), &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: n.name + "/" + r.GetName()}})
	case *csi.DeleteVolumeRequest:
		at := slices.Index(n.volumes, r.GetVolumeId())
		if at < 0 {
			return nil
		}
		n.volumes = slices.Delete(n.volumes, at, at+1)
	case *csi.CreateSnapshotRequest:
		proto.Merge(response.(proto.Message), &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: n.name + "/" + r.GetName()}})
	case *csi.CreateVolumeGroupSnapshotRequest:
		group := &csi.VolumeGroupSnapshot{GroupSnapshotId: n.name + "/" + r.GetName()}
		proto.Merge(response.(proto.Message), &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: group})
	case *csi.GetVolumeGroupSnapshotRequest, *csi.DeleteVolumeGroupSnapshotRequest:
		n.listed = r.(fmt.Stringer).String()
	case *csi.ListSnapshotsRequest:
		n.listed = r.String()
	case *csi.ListVolumesRequest:
		first, _ := strconv.Atoi(r.GetStartingToken())
		page := response.(*csi.ListVolumesResponse)
		for i := first; i < len(n.volumes) && (r.GetMaxEntries() == 0 || i < first+int(r.GetMaxEntries())); i++ {
			page.Entries = append(page.Entries, &csi.ListVolumesResponse_Entry{Volume: &csi.Volume{VolumeId: n.volumes[i]}})
		}
		if next := first + len(page.GetEntries()); next < len(n.volumes) {
			page.NextToken = strconv.Itoa(next)
		}
	}
	return nil
}

func topologyOf(name string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{"node": name}}
}

func requestIn(name string, nodes ...string) *csi.CreateVolumeRequest {
	request := &csi.CreateVolumeRequest{Name: name, AccessibilityRequirements: &csi.TopologyRequirement{}}
	for _, n := range nodes {
		request.AccessibilityRequirements.Requisite = append(request.AccessibilityRequirements.Requisite, topologyOf(n))
	}
	return request
}

func TestEachControllerIsAskedForItsOwn(t *testing.T) {
	a, b, c := &node{name: "a"}, &node{name: "b"}, &node{name: "c"}
	all := New([]grpc.ClientConnInterface{a, b, c})
	controller := csi.NewControllerClient(all)
	for _, in := range []string{"c", "a", "c", "a", "a"} {
		if _, err := controller.CreateVolume(t.Context(), requestIn(fmt.Sprintf("v%d", len(a.volumes)+len(c.volumes)), in)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"a/v1", "a/v3", "a/v4", "c/v0", "c/v2"}
	for _, most := range []int32{0, 1, 2, 3} {
		var got []string
		for token, more := "", true; more; more = token != "" {
			page, err := controller.ListVolumes(t.Context(), &csi.ListVolumesRequest{MaxEntries: most, StartingToken: token})
			if err != nil || most > 0 && len(page.GetEntries()) > int(most) {
				t.Fatalf("got %v, %v", page, err)
			}
			for _, entry := range page.GetEntries() {
				got = append(got, entry.GetVolume().GetVolumeId())
			}
			token = page.GetNextToken()
		}
		if !slices.Equal(got, want) {
			t.Errorf("with max_entries %d: got %q, want %q", most, got, want)
		}
	}
	for _, id := range want {
		if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
			t.Error(err)
		}
	}
	if len(a.volumes)+len(c.volumes) > 0 {
		t.Errorf("volumes %q and %q are left", a.volumes, c.volumes)
	}
	b.volumes = []string{"b/of-an-earlier-run"}
	if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: b.volumes[0]}); err != nil || len(b.volumes) > 0 {
		t.Errorf("got %v, and %q is left", err, b.volumes)
	}
}

func TestSnapshotsAreListedByTheirController(t *testing.T) {
	a, b := &node{name: "a"}, &node{name: "b"}
	controller := csi.NewControllerClient(New([]grpc.ClientConnInterface{a, b}))
	if _, err := controller.CreateVolume(t.Context(), requestIn("v", "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := controller.CreateSnapshot(t.Context(), &csi.CreateSnapshotRequest{Name: "s", SourceVolumeId: "b/v"}); err != nil {
		t.Fatal(err)
	}
	for _, request := range []*csi.ListSnapshotsRequest{{SourceVolumeId: "b/v"}, {SnapshotId: "b/s"}, {SnapshotId: "b/s", SourceVolumeId: "b/v"}} {
		if _, err := controller.ListSnapshots(t.Context(), request); err != nil || b.listed != request.String() {
			t.Errorf("%s: got %v, and the controller of the volume was asked for %q", request, err, b.listed)
		}
	}
	if a.listed != "" {
		t.Errorf("the other controller was asked for %q", a.listed)
	}
}

func TestRefuses(t *testing.T) {
	all := New([]grpc.ClientConnInterface{&node{name: "a"}, &node{name: "b"}})
	if _, err := csi.NewControllerClient(all).CreateVolume(t.Context(), requestIn("taken", "b")); err != nil {
		t.Fatal(err)
	}
	copied := requestIn("copy", "a")
	copied.VolumeContentSource = &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: "b/taken"}}}
	anywhere := proto.CloneOf(copied)
	anywhere.Name, anywhere.AccessibilityRequirements = "copied", nil
	for _, c := range []struct {
		name  string
		given *csi.CreateVolumeRequest
		want  bool
	}{
		{"one segment", requestIn("v", "a"), false},
		{"two segments", requestIn("w", "a", "b"), true},
		{"a segment that does not exist beside one", requestIn("x", "b", "z"), false},
		{"no segment", requestIn("y"), true},
		{"a name of the same node", requestIn("taken", "b"), false},
		{"a name of another node", requestIn("taken", "a"), true},
		{"a source of another node", copied, true},
		{"a source without a segment", anywhere, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := all.Refuses(t.Context(), c.given); (err != nil) != c.want {
				t.Errorf("got %v, want a refusal: %t", err, c.want)
			}
		})
	}
}

func TestGroupsAreOfTheControllerOfTheirVolumes(t *testing.T) {
	a, b := &node{name: "a"}, &node{name: "b"}
	all := New([]grpc.ClientConnInterface{a, b})
	for name, in := range map[string]string{"v": "b", "w": "b", "x": "a"} {
		if _, err := csi.NewControllerClient(all).CreateVolume(t.Context(), requestIn(name, in)); err != nil {
			t.Fatal(err)
		}
	}
	groups := csi.NewGroupControllerClient(all)
	answer, err := groups.CreateVolumeGroupSnapshot(t.Context(), &csi.CreateVolumeGroupSnapshotRequest{Name: "g", SourceVolumeIds: []string{"b/v", "b/w"}})
	if err != nil || answer.GetGroupSnapshot().GetGroupSnapshotId() != "b/g" {
		t.Errorf("got %v, %v, want it from the controller of the volumes", answer, err)
	}
	get, remove := &csi.GetVolumeGroupSnapshotRequest{GroupSnapshotId: "b/g"}, &csi.DeleteVolumeGroupSnapshotRequest{GroupSnapshotId: "b/g"}
	if _, err := groups.GetVolumeGroupSnapshot(t.Context(), get); err != nil || b.listed != get.String() {
		t.Errorf("got %v, and the controller of the group was asked for %q", err, b.listed)
	}
	if _, err := groups.DeleteVolumeGroupSnapshot(t.Context(), remove); err != nil || b.listed != remove.String() || a.listed != "" {
		t.Errorf("got %v, and the controllers were asked for %q and %q", err, a.listed, b.listed)
	}
	if _, err := groups.CreateVolumeGroupSnapshot(t.Context(), &csi.CreateVolumeGroupSnapshotRequest{Name: "h", SourceVolumeIds: []string{"b/v", "a/x"}}); err == nil {
		t.Error("a group of volumes of several nodes was asked for")
	}
}
