// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// exhaustByHook exhausts segments as a vendor's hook would: with volumes that the hook makes with the vendor's
// knowledge of the storage.
func exhaustByHook(driver *embedded.Driver, target *harness.Target) {
	conn, err := wire.Dial(driver.Controller)
	if err != nil {
		panic(err)
	}
	target.Exhaust = &hook{controller: csi.NewControllerClient(conn), made: map[string][]string{}}
}

type hook struct {
	controller csi.ControllerClient
	made       map[string][]string
}

// Exhaust creates volumes in the segment until no room is left.
func (h *hook) Exhaust(ctx context.Context, segment map[string]string) error {
	name := model.Segment(segment).String()
	for {
		topology := &csi.Topology{Segments: segment}
		left, err := h.controller.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: topology})
		if err != nil {
			return err
		}
		const smallest = 1 << 20
		bytes := min(left.GetAvailableCapacity(), left.GetMaximumVolumeSize().GetValue())
		if bytes < smallest {
			return nil
		}
		made, err := h.controller.CreateVolume(ctx, &csi.CreateVolumeRequest{
			Name:                      fmt.Sprintf("hook-%s-%d", name, len(h.made[name])),
			CapacityRange:             &csi.CapacityRange{RequiredBytes: bytes},
			AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{topology}},
			VolumeCapabilities: []*csi.VolumeCapability{{
				AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
				AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
			}},
		})
		if err != nil {
			return err
		}
		h.made[name] = append(h.made[name], made.GetVolume().GetVolumeId())
	}
}

// GiveBack deletes the volumes.
func (h *hook) GiveBack(ctx context.Context, segment map[string]string) error {
	name := model.Segment(segment).String()
	for _, id := range h.made[name] {
		if _, err := h.controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
			return err
		}
	}
	delete(h.made, name)
	return nil
}
