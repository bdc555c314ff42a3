// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// started starts the driver, and stops it at the end of the test.
func started(t *testing.T, d Driver) *harness.Target {
	t.Helper()
	driver, err := d.start(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.stop(); err != nil {
			t.Error(err)
		}
	})
	return driver.target
}

func TestLacking(t *testing.T) {
	for _, c := range []struct {
		name     string
		given    []protoreflect.Enum
		topology bool
		capacity codes.Code
		publish  codes.Code
		claimed  bool
	}{
		{"nothing", nil, true, codes.OK, codes.NotFound, true},
		{"topology", Topology, false, codes.OK, codes.NotFound, true},
		{"capacity", []protoreflect.Enum{csi.ControllerServiceCapability_RPC_GET_CAPACITY}, true, codes.Unimplemented, codes.NotFound, false},
		{"attaching", Attaching, true, codes.OK, codes.Unimplemented, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := started(t, Driver{Fault: Lacking(c.given...)})
			controller := csi.NewControllerClient(target.Controller)
			created, err := controller.CreateVolume(t.Context(), &csi.CreateVolumeRequest{Name: "a", VolumeCapabilities: []*csi.VolumeCapability{mounted()}})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(created.GetVolume().GetAccessibleTopology()) > 0; got != c.topology {
				t.Errorf("CreateVolume answers with topology: %v, want %v", got, c.topology)
			}
			listed, err := controller.ListVolumes(t.Context(), &csi.ListVolumesRequest{})
			if err != nil || len(listed.GetEntries()) != 1 || (len(listed.GetEntries()[0].GetVolume().GetAccessibleTopology()) > 0) != c.topology {
				t.Errorf("ListVolumes = %v, %v, want topology: %v", listed, err, c.topology)
			}
			snapshot, err := controller.CreateSnapshot(t.Context(), &csi.CreateSnapshotRequest{Name: "a", SourceVolumeId: created.GetVolume().GetVolumeId()})
			if err != nil || (len(snapshot.GetSnapshot().GetAccessibleTopology()) > 0) != c.topology {
				t.Errorf("CreateSnapshot = %v, %v, want topology: %v", snapshot, err, c.topology)
			}
			info, err := csi.NewNodeClient(target.Nodes[1]).NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
			if err != nil || (info.GetAccessibleTopology() != nil) != c.topology {
				t.Errorf("NodeGetInfo = %v, %v, want topology: %v", info, err, c.topology)
			}
			_, err = controller.GetCapacity(t.Context(), &csi.GetCapacityRequest{})
			if status.Code(err) != c.capacity {
				t.Errorf("GetCapacity: %v, want %s", err, c.capacity)
			}
			_, err = controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{VolumeId: created.GetVolume().GetVolumeId(), NodeId: "nobody", VolumeCapability: mounted()})
			if status.Code(err) != c.publish {
				t.Errorf("ControllerPublishVolume: %v, want %s", err, c.publish)
			}
			claimed, err := controller.ControllerGetCapabilities(t.Context(), &csi.ControllerGetCapabilitiesRequest{})
			both := claims(claimed, csi.ControllerServiceCapability_RPC_GET_CAPACITY) && claims(claimed, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
			if err != nil || both != c.claimed {
				t.Errorf("ControllerGetCapabilities = %v, %v, want both claimed: %v", claimed, err, c.claimed)
			}
		})
	}
}

// TestLackingAttachingStagesWhereAccessible checks that without ControllerPublishVolume, staging refuses a volume that is
// not accessible from the node.
func TestLackingAttachingStagesWhereAccessible(t *testing.T) {
	target := started(t, Driver{Fault: Lacking(Attaching...)})
	controller := csi.NewControllerClient(target.Controller)
	var ids []string
	for _, name := range []string{"kept", "deleted"} {
		created, err := controller.CreateVolume(t.Context(), &csi.CreateVolumeRequest{
			Name: name, VolumeCapabilities: []*csi.VolumeCapability{mounted()},
			AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: target.Profile.Segments[1]}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, created.GetVolume().GetVolumeId())
	}
	kept, deleted := ids[0], ids[1]
	if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: deleted}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		volume string
		node   int
		want   codes.Code
	}{
		{"where it is not accessible", kept, 0, codes.FailedPrecondition},
		{"where it is accessible", kept, 1, codes.OK},
		{"what was deleted", deleted, 0, codes.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := csi.NewNodeClient(target.Nodes[c.node]).NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{
				VolumeId: c.volume, StagingTargetPath: t.TempDir(), VolumeCapability: mounted(),
			})
			if status.Code(err) != c.want {
				t.Errorf("NodeStageVolume: %v, want %s", err, c.want)
			}
		})
	}
}

func claims(response *csi.ControllerGetCapabilitiesResponse, wanted csi.ControllerServiceCapability_RPC_Type) bool {
	return slices.ContainsFunc(response.GetCapabilities(), func(c *csi.ControllerServiceCapability) bool { return c.GetRpc().GetType() == wanted })
}

func mounted() *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
}
