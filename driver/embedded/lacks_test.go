// SPDX-License-Identifier: Apache-2.0

package embedded_test

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
)

func TestADriverThatLacks(t *testing.T) {
	for _, c := range []struct {
		name     string
		lacks    embedded.Lacks
		topology bool
		capacity codes.Code
		publish  codes.Code
		claimed  bool
	}{
		{"nothing", embedded.Lacks{}, true, codes.OK, codes.NotFound, true},
		{"topology", embedded.Lacks{Topology: true}, false, codes.OK, codes.NotFound, true},
		{"capacity", embedded.Lacks{Capacity: true}, true, codes.Unimplemented, codes.NotFound, false},
		{"attaching", embedded.Lacks{Attach: true}, true, codes.OK, codes.Unimplemented, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			driver := start(t, embedded.Options{Lacks: c.lacks})
			controller := csi.NewControllerClient(dial(t, driver.Controller))
			made, err := controller.CreateVolume(t.Context(), &csi.CreateVolumeRequest{Name: "a", VolumeCapabilities: []*csi.VolumeCapability{mounted()}})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(made.GetVolume().GetAccessibleTopology()) > 0; got != c.topology {
				t.Errorf("CreateVolume answers with topology: %v, want %v", got, c.topology)
			}
			info, err := csi.NewNodeClient(dial(t, driver.Nodes[1].Endpoint)).NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
			if err != nil || (info.GetAccessibleTopology() != nil) != c.topology {
				t.Errorf("NodeGetInfo = %v, %v, want topology: %v", info, err, c.topology)
			}
			_, err = controller.GetCapacity(t.Context(), &csi.GetCapacityRequest{})
			if status.Code(err) != c.capacity {
				t.Errorf("GetCapacity: %v, want %s", err, c.capacity)
			}
			_, err = controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{VolumeId: made.GetVolume().GetVolumeId(), NodeId: "nobody", VolumeCapability: mounted()})
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

func TestADriverThatLacksAttachingStagesInReach(t *testing.T) {
	driver := start(t, embedded.Options{Lacks: embedded.Lacks{Attach: true}})
	made, err := csi.NewControllerClient(dial(t, driver.Controller)).CreateVolume(t.Context(), &csi.CreateVolumeRequest{
		Name: "a", VolumeCapabilities: []*csi.VolumeCapability{mounted()},
		AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: driver.Nodes[1].Segment}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []codes.Code{codes.FailedPrecondition, codes.OK} {
		_, err := csi.NewNodeClient(dial(t, driver.Nodes[i].Endpoint)).NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{
			VolumeId: made.GetVolume().GetVolumeId(), StagingTargetPath: t.TempDir(), VolumeCapability: mounted(),
		})
		if status.Code(err) != want {
			t.Errorf("NodeStageVolume on %s: %v, want %s", driver.Nodes[i].ID, err, want)
		}
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
