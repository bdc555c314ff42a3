// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// consistentClaims returns the cases about capabilities that need each other.
func consistentClaims() []harness.Case {
	return []harness.Case{claimsExpansion(), claimsVolumeConstraints(), claimsSnapshotConstraints(), claimsPublishedNodes(), claimsVolumeHealth()}
}

// claimsExpansion compares the claimed ways to expand volumes with the calls that expand them: ONLINE needs either
// EXPAND_VOLUME, OFFLINE the controller's.
func claimsExpansion() harness.Case {
	return harness.Case{
		ID:           "claims_expansion",
		Text:         "claims EXPAND_VOLUME if it claims VolumeExpansion ONLINE or OFFLINE, and vice versa",
		Requirements: []string{"PC-06", "PC-10"},
		Run: func(ctx context.Context, driver *harness.Driver) {
			online := driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE)
			offline := driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_OFFLINE)
			byController := driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
			byNode := slices.ContainsFunc(driver.Nodes, func(n *harness.Node) bool { return n.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) })

			switch {
			case online || offline:
			case byController || byNode:
				suite.Warn(ctx, "PC-06", "EXPAND_VOLUME is claimed, and neither VolumeExpansion ONLINE nor OFFLINE: a CO does not know when it may expand a volume (PC-06, PC-10)")
			default:
				suite.Skip(suite.ByCapability, "the driver claims no capability of expansion")
			}
			suite.Must("PC-10", !offline || byController, "VolumeExpansion OFFLINE is claimed, which needs the controller capability EXPAND_VOLUME")
			if len(driver.Nodes) == 0 && online && !byController {
				suite.Reduced(ctx, "whether nodes claim EXPAND_VOLUME, as VolumeExpansion ONLINE needs, was not looked at: there are no node endpoints")
				return
			}
			suite.Must("PC-06", !online || byController || byNode, "VolumeExpansion ONLINE is claimed, which needs EXPAND_VOLUME as a controller capability, a node capability, or both")
		},
	}
}

// claimsVolumeConstraints warns of a node without accessible_topology, which is OPTIONAL: a CO may schedule only volumes
// without topology there.
func claimsVolumeConstraints() harness.Case {
	return harness.Case{
		ID:           "claims_volume_constraints",
		Text:         "reports the topology of every node if it claims VOLUME_ACCESSIBILITY_CONSTRAINTS",
		Requirements: []string{"PC-02"},
		Needs:        harness.Needs(harness.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS), harness.Nodes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, node := range driver.Nodes {
				suite.Should(ctx, "PC-02", len(node.Segment) > 0, "VOLUME_ACCESSIBILITY_CONSTRAINTS is claimed, and NodeGetInfo of %s has no accessible_topology: a CO cannot tell which volumes the node can use", node)
			}
		},
	}
}

func claimsSnapshotConstraints() harness.Case {
	return harness.Case{
		ID:           "claims_snapshot_constraints",
		Text:         "claims CREATE_DELETE_SNAPSHOT if it claims SNAPSHOT_ACCESSIBILITY_CONSTRAINTS",
		Requirements: []string{"PC-04"},
		Needs:        harness.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Should(ctx, "PC-04", driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
				"SNAPSHOT_ACCESSIBILITY_CONSTRAINTS is claimed, and CREATE_DELETE_SNAPSHOT is not: there are no snapshots that it could be about")
		},
	}
}

func claimsPublishedNodes() harness.Case {
	return needsClaim("claims_published_nodes", "LV-16",
		csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
}

// claimsVolumeHealth checks that a driver that lists the health of its volumes also reports the health of one, which a
// CO reads if the list may have missed it.
func claimsVolumeHealth() harness.Case {
	return needsClaim("claims_volume_health", "VH-02",
		csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH, csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)
}

// needsClaim returns a case that fails by the clause if the controller has the one capability and not the other.
func needsClaim(id, clause string, claimed, needed csi.ControllerServiceCapability_RPC_Type) harness.Case {
	return harness.Case{
		ID:           id,
		Text:         "claims " + needed.String() + " if it claims " + claimed.String(),
		Requirements: []string{clause},
		Needs:        harness.Claims(claimed),
		Run: func(_ context.Context, driver *harness.Driver) {
			suite.Must(clause, driver.Claims(needed), "ControllerGetCapabilities lists %s, which needs %s, and does not list that", claimed, needed)
		},
	}
}
