// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// volumeTopology returns the cases about the topology of a volume in calls other than CreateVolume.
func volumeTopology() []harness.Case {
	return []harness.Case{topologyListed(), topologyGot(), topologyOnlyWhereClaimed()}
}

func topologyListed() harness.Case {
	return harness.Case{
		ID:           "topology_listed",
		Text:         "should list a volume with the topologies that CreateVolume returned",
		Requirements: []string{"LV-08", "VOL-14", "VOL-17"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, inLastZone(driver))
			var listed *csi.Volume
			if !driver.Settled(ctx, effect.Creation, func() bool {
				listed = listing.Volume(ctx, driver, volume.GetVolumeId())
				return listed != nil
			}) {
				suite.Skip(suite.ByEnvironment, "ListVolumes does not have volume %s, which was created, so that it says nothing about its topology; list_volumes_has_each_once is about that", volume.GetVolumeId())
			}
			expectSameTopology(ctx, driver, "ListVolumes", "LV-08", listed, volume)
		},
	}
}

func topologyGot() harness.Case {
	return harness.Case{
		ID:           "topology_got",
		Text:         "should return the same topologies from ControllerGetVolume as from CreateVolume",
		Requirements: []string{"LV-15", "VOL-14", "VOL-17"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, inLastZone(driver))
			got := harness.NeedOK(driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()})).GetVolume()
			suite.Must("LV-15", got.GetVolumeId() == volume.GetVolumeId(),
				"ControllerGetVolume was called for volume %q, and answered with volume %q", volume.GetVolumeId(), got.GetVolumeId())
			expectSameTopology(ctx, driver, "ControllerGetVolume", "LV-15", got, volume)
		},
	}
}

// inLastZone requests a volume in the last of the zones: a driver that always returns the same topology would return
// the first.
func inLastZone(driver *harness.Driver) model.Request {
	zones := driver.Zones(4)
	return driver.Volume(1).Within(zones[max(0, len(zones)-1):]...)
}

// topologyOnlyWhereClaimed returns the case about the capability without which a CO does not read accessible_topology.
func topologyOnlyWhereClaimed() harness.Case {
	return harness.Case{
		ID:           "topology_only_where_claimed",
		Text:         "returns accessible_topology of a volume only if it claims VOLUME_ACCESSIBILITY_CONSTRAINTS",
		Requirements: []string{"VOL-14", "VOL-17", "CV-21"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectClaimed(driver, "CreateVolume", driver.NeedVolume(ctx, driver.Volume(1)))
		},
	}
}

// expectClaimed fails the case if an answer has accessible_topology, and the driver does not claim to constrain it.
func expectClaimed(driver *harness.Driver, rpc string, volume *csi.Volume) {
	suite.Must("VOL-14", len(volume.GetAccessibleTopology()) == 0 || driver.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
		"%s says that volume %s is accessible from %s, and GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS",
		rpc, volume.GetVolumeId(), messages.Segments(volume.GetAccessibleTopology()))
}

// expectSameTopology warns if a later answer has another accessible_topology for the volume than CreateVolume, or none: no
// clause demands the same. Topologies with other keys may be the same segments.
func expectSameTopology(ctx context.Context, driver *harness.Driver, rpc, clause string, later, created *csi.Volume) {
	expectClaimed(driver, rpc, later)
	got, want := messages.Segments(later.GetAccessibleTopology()), messages.Segments(created.GetAccessibleTopology())
	known := driver.Segments()
	switch {
	case len(want) == 0 && driver.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS):
		suite.Skip(suite.ByCapability, "CreateVolume answered without accessible_topology: the answer of %s has nothing to be compared with", rpc)
	case len(want) > 0 && len(got) == 0:
		suite.Warn(ctx, "VOL-17", "%s has volume %s without accessible_topology, which means that it is accessible from everywhere; CreateVolume answered %s", rpc, created.GetVolumeId(), want)
	default:
		suite.Should(ctx, clause, known.StandingFor(got).Equal(known.StandingFor(want)), "%s has volume %s with the accessible_topology %s, and CreateVolume answered %s", rpc, created.GetVolumeId(), got, want)
	}
}
