// SPDX-License-Identifier: Apache-2.0

package embedded_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
)

const mib = 1 << 20

func start(t *testing.T, o embedded.Options) *embedded.Driver {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	driver, err := embedded.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
	})
	return driver
}

func dial(t *testing.T, endpoint string) *grpc.ClientConn {
	t.Helper()
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return connection
}

func request(name string, bytes int64, zones ...string) *csi.CreateVolumeRequest {
	r := &csi.CreateVolumeRequest{
		Name:          name,
		CapacityRange: &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		}},
		AccessibilityRequirements: &csi.TopologyRequirement{},
	}
	for _, zone := range zones {
		r.AccessibilityRequirements.Requisite = append(r.AccessibilityRequirements.Requisite, inZone(zone))
	}
	return r
}

func inZone(name string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{topology.RegionKey: "R1", topology.ZoneKey: name}}
}

func available(t *testing.T, controller csi.ControllerClient, at *csi.Topology) int64 {
	t.Helper()
	response, err := controller.GetCapacity(t.Context(), &csi.GetCapacityRequest{AccessibleTopology: at})
	if err != nil {
		t.Fatal(err)
	}
	return response.GetAvailableCapacity()
}

func TestDefaults(t *testing.T) {
	driver := start(t, embedded.Options{})
	controller := csi.NewControllerClient(dial(t, driver.Controller))
	var zones []string
	for _, node := range driver.Nodes {
		info, err := csi.NewNodeClient(dial(t, node.Endpoint)).NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if info.GetNodeId() != node.ID || !node.Segment.Equal(info.GetAccessibleTopology().GetSegments()) {
			t.Errorf("got %v, want node %s in {%s}", info, node.ID, node.Segment)
		}
		if got := available(t, controller, info.GetAccessibleTopology()); got != 1<<30 {
			t.Errorf("{%s} has %d bytes, want 1 GiB", node.Segment, got)
		}
		zones = append(zones, node.Segment[topology.ZoneKey])
	}
	if got := strings.Join(zones, " "); got != "Z2 Z3 Z4 Z5" {
		t.Errorf("the zones are %s", got)
	}
}

// TestSizes checks that GetCapacity returns the sizes that volumes may have.
func TestSizes(t *testing.T) {
	driver := start(t, embedded.Options{Sizes: service.Sizes{MinimumBytes: mib, MaximumBytes: 512 * mib}})
	controller := csi.NewControllerClient(dial(t, driver.Controller))
	told, err := controller.GetCapacity(t.Context(), &csi.GetCapacityRequest{AccessibleTopology: inZone("Z2")})
	if err != nil {
		t.Fatal(err)
	}
	if told.GetAvailableCapacity() != 1<<30 || told.GetMaximumVolumeSize().GetValue() != 512*mib || told.GetMinimumVolumeSize().GetValue() != mib {
		t.Errorf("got %v, want 1 GiB for volumes of 1 to 512 MiB", told)
	}
	for _, test := range []struct {
		name  string
		given *csi.CapacityRange
		want  int64
		code  codes.Code
	}{
		{"none told", nil, 16 * mib, codes.OK},
		{"the largest", &csi.CapacityRange{RequiredBytes: 512 * mib}, 512 * mib, codes.OK},
		{"more than the largest", &csi.CapacityRange{RequiredBytes: 512*mib + 1}, 0, codes.OutOfRange},
		{"the smallest", &csi.CapacityRange{LimitBytes: mib}, mib, codes.OK},
		{"less than the smallest", &csi.CapacityRange{LimitBytes: mib - 1}, 0, codes.OutOfRange},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := request(test.name, 0, "Z3", "Z4")
			asked.CapacityRange = test.given
			got, err := controller.CreateVolume(t.Context(), asked)
			if got.GetVolume().GetCapacityBytes() != test.want || status.Code(err) != test.code {
				t.Errorf("got %v and %v, want %d bytes and %s", got, err, test.want, test.code)
			}
		})
	}
}

// TestIdentityIsTheSameEverywhere checks that every instance returns the same identity and capabilities (PC-01).
func TestIdentityIsTheSameEverywhere(t *testing.T) {
	driver := start(t, embedded.Options{})
	of := func(endpoint string) (*csi.GetPluginInfoResponse, *csi.GetPluginCapabilitiesResponse) {
		identity := csi.NewIdentityClient(dial(t, endpoint))
		info, err := identity.GetPluginInfo(t.Context(), &csi.GetPluginInfoRequest{})
		if err != nil {
			t.Fatal(err)
		}
		capabilities, err := identity.GetPluginCapabilities(t.Context(), &csi.GetPluginCapabilitiesRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return info, capabilities
	}
	info, capabilities := of(driver.Controller)
	if info.GetName() != "hostpath.topo.csi" || len(capabilities.GetCapabilities()) != 6 {
		t.Errorf("got %v, %v", info, capabilities)
	}
	for _, node := range driver.Nodes {
		if i, c := of(node.Endpoint); !proto.Equal(i, info) || !proto.Equal(c, capabilities) {
			t.Errorf("node %s says %v, %v, the controller %v, %v", node.ID, i, c, info, capabilities)
		}
	}
}

func TestSocketsAreForTheirUserOnly(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "driver")
	driver := start(t, embedded.Options{Dir: directory})
	endpoints := []string{driver.Controller}
	for _, node := range driver.Nodes {
		endpoints = append(endpoints, node.Endpoint)
	}
	for _, endpoint := range endpoints {
		info, err := os.Stat(strings.TrimPrefix(endpoint, "unix://"))
		if err != nil || info.Mode() != fs.ModeSocket|0o600 {
			t.Errorf("%s: %v, %v", endpoint, info, err)
		}
	}
	if info, err := os.Stat(directory); err != nil || info.Mode() != fs.ModeDir|0o700 {
		t.Errorf("%s: %v, %v", directory, info, err)
	}
}

func TestStartRefuses(t *testing.T) {
	if _, err := embedded.Start(t.Context(), embedded.Options{}); err == nil || !strings.Contains(err.Error(), "Options.Dir is required") {
		t.Errorf("no directory: got %v", err)
	}
	directory := t.TempDir()
	start(t, embedded.Options{Dir: directory})
	if _, err := embedded.Start(t.Context(), embedded.Options{Dir: directory}); err == nil || !strings.Contains(err.Error(), "another process has them open") {
		t.Errorf("a directory in use: got %v", err)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("d", 120))
	if _, err := embedded.Start(t.Context(), embedded.Options{Dir: long}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a directory too deep for sockets: got %v", err)
	}
}

func TestRestart(t *testing.T) {
	directory := t.TempDir()
	first := start(t, embedded.Options{Dir: directory})
	controller := csi.NewControllerClient(dial(t, first.Controller))
	created, err := controller.CreateVolume(t.Context(), request("volume", 10*mib, "Z4"))
	if err != nil {
		t.Fatal(err)
	}
	snapshotRequest := &csi.CreateSnapshotRequest{Name: "snapshot", SourceVolumeId: created.GetVolume().GetVolumeId()}
	taken, err := controller.CreateSnapshot(t.Context(), snapshotRequest)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(directory, "*.sock")); err != nil || len(left) > 0 {
		t.Errorf("sockets left behind: %v, %v", left, err)
	}
	second := start(t, embedded.Options{Dir: directory, Volumes: first.Volumes})
	controller = csi.NewControllerClient(dial(t, second.Controller))
	again, err := controller.CreateVolume(t.Context(), request("volume", 10*mib, "Z4"))
	if err != nil || !proto.Equal(again, created) {
		t.Errorf("got %v and %v, want %v", again, err, created)
	}
	takenAgain, err := controller.CreateSnapshot(t.Context(), snapshotRequest)
	if err != nil || !proto.Equal(takenAgain, taken) {
		t.Errorf("got %v and %v, want %v", takenAgain, err, taken)
	}
	if got := available(t, controller, inZone("Z4")); got != 1<<30-20*mib {
		t.Errorf("Z4 has %d bytes, want 20 MiB less than 1 GiB", got)
	}
}

// TestOneNameAtOnce checks that many concurrent calls for one name create one volume (GEN-02, CV-07).
func TestOneNameAtOnce(t *testing.T) {
	driver := start(t, embedded.Options{})
	controller := csi.NewControllerClient(dial(t, driver.Controller))
	var wait sync.WaitGroup
	answers := make([]*csi.CreateVolumeResponse, 50)
	for i := range answers {
		wait.Go(func() {
			var err error
			if answers[i], err = controller.CreateVolume(t.Context(), request("volume", 10*mib, "Z2", "Z3")); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, answer := range answers {
		if !proto.Equal(answer, answers[0]) {
			t.Errorf("got %v and %v", answer, answers[0])
		}
	}
	if ids := driver.Volumes.IDs(); len(ids) != 1 {
		t.Errorf("there are volumes %v, want one", ids)
	}
}

// TestFillingAZoneAtOnce checks that concurrent callers can create exactly the volumes that fit in a zone, and that their
// capacity is free again after they are deleted.
func TestFillingAZoneAtOnce(t *testing.T) {
	const fit, callers = 20, 50
	driver := start(t, embedded.Options{BytesPerSegment: fit*10*mib + 5*mib})
	controller := csi.NewControllerClient(dial(t, driver.Controller))
	empty := available(t, controller, nil)
	var mu sync.Mutex
	var created []*csi.Volume
	each(callers, func(i int) {
		response, err := controller.CreateVolume(t.Context(), request(fmt.Sprint(i), 10*mib, "Z3"))
		if status.Code(err) == codes.ResourceExhausted {
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		created = append(created, response.GetVolume())
	})
	if len(created) != fit || len(driver.Volumes.IDs()) != fit {
		t.Errorf("%d volumes were created, and %d are there, want %d", len(created), len(driver.Volumes.IDs()), fit)
	}
	if got := available(t, controller, inZone("Z3")); got != 5*mib {
		t.Errorf("Z3 has %d bytes left, want 5 MiB", got)
	}
	each(len(created), func(i int) {
		if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: created[i].GetVolumeId()}); err != nil {
			t.Error(err)
		}
	})
	if got := available(t, controller, nil); got != empty {
		t.Errorf("%d bytes are available when all is deleted, want %d", got, empty)
	}
}

// TestEverythingAtOnce checks that nothing is left after many callers made all sorts of calls for a few volumes, in any
// order.
func TestEverythingAtOnce(t *testing.T) {
	driver := start(t, embedded.Options{})
	controller := csi.NewControllerClient(dial(t, driver.Controller))
	empty := available(t, controller, nil)
	each(20, func(i int) {
		r := request(fmt.Sprint(i%4), 10*mib, "Z2")
		for range 10 {
			response, err := controller.CreateVolume(t.Context(), r)
			if err != nil {
				t.Error(err)
				return
			}
			id := response.GetVolume().GetVolumeId()
			_, published := controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{
				VolumeId: id, NodeId: driver.Nodes[0].ID, VolumeCapability: r.GetVolumeCapabilities()[0],
			})
			_, expanded := controller.ControllerExpandVolume(t.Context(), &csi.ControllerExpandVolumeRequest{
				VolumeId: id, CapacityRange: &csi.CapacityRange{RequiredBytes: 11 * mib},
			})
			_, modified := controller.ControllerModifyVolume(t.Context(), &csi.ControllerModifyVolumeRequest{
				VolumeId: id, MutableParameters: map[string]string{"allocation": "thick"},
			})
			snapshot, taken := controller.CreateSnapshot(t.Context(), &csi.CreateSnapshotRequest{Name: fmt.Sprint(i % 3), SourceVolumeId: id})
			restore := request(fmt.Sprintf("restored-%d", i), 0, "Z2")
			restore.CapacityRange = nil
			restore.VolumeContentSource = &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
				Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: snapshot.GetSnapshot().GetSnapshotId()},
			}}
			var restored, removed error
			if taken == nil {
				var copied *csi.CreateVolumeResponse
				if copied, restored = controller.CreateVolume(t.Context(), restore); restored == nil {
					_, removed = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: copied.GetVolume().GetVolumeId()})
				}
				_, err := controller.DeleteSnapshot(t.Context(), &csi.DeleteSnapshotRequest{SnapshotId: snapshot.GetSnapshot().GetSnapshotId()})
				removed = errors.Join(removed, err)
			}
			_, listed := controller.ListVolumes(t.Context(), &csi.ListVolumesRequest{})
			_, listedSnapshots := controller.ListSnapshots(t.Context(), &csi.ListSnapshotsRequest{})
			_, checked := controller.ControllerListVolumeHealth(t.Context(), &csi.ControllerListVolumeHealthRequest{})
			_, unpublished := controller.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: id})
			_, deleted := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id})
			for call, err := range map[string]error{
				"publish": published, "expand": expanded, "modify": modified, "snapshot": taken, "restore": restored, "remove": removed,
				"list": listed, "list snapshots": listedSnapshots, "list health": checked, "unpublish": unpublished, "delete": deleted,
			} {
				switch status.Code(err) {
				case codes.OK, codes.NotFound: // another caller deleted it
				case codes.FailedPrecondition: // or published it again before the deletion
					if call != "delete" {
						t.Errorf("%s: %v", call, err)
					}
				case codes.AlreadyExists: // or took a snapshot with that name of another volume
					if call != "snapshot" {
						t.Errorf("%s: %v", call, err)
					}
				default:
					t.Errorf("%s: %v", call, err)
				}
			}
		}
	})
	list, err := controller.ListVolumes(t.Context(), &csi.ListVolumesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range list.GetEntries() {
		id := entry.GetVolume().GetVolumeId()
		if _, err := controller.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: id}); err != nil {
			t.Error(err)
		}
		if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
			t.Error(err)
		}
	}
	if got := available(t, controller, nil); got != empty {
		t.Errorf("%d bytes are available in the end, want %d", got, empty)
	}
	if volumes, snapshots := driver.Volumes.IDs(), driver.Volumes.SnapshotIDs(); len(volumes)+len(snapshots) > 0 {
		t.Errorf("left behind are volumes %v and snapshots %v", volumes, snapshots)
	}
}

// each calls do with 0 to count-1, all at once.
func each(count int, do func(int)) {
	var wait sync.WaitGroup
	for i := range count {
		wait.Go(func() { do(i) })
	}
	wait.Wait()
}
