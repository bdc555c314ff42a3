// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"
	"fmt"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Zones requires that at least n zones have nodes with the driver.
func Zones(n int) []harness.Need {
	return ofZones("zones", n, func(s *harness.Scenario) string {
		return lacking(len(s.AllZones()) >= n, "needs %d zones with the driver, found %d: %s", n, len(s.AllZones()), strings.Join(topology.ZoneNames(s.AllZones()...), ", "))
	})
}

// Neighbours requires that at least n zones differ only in the value of the zone key.
func Neighbours(n int) []harness.Need {
	return ofZones("neighbours", n, func(s *harness.Scenario) string {
		return lacking(topology.NeighboursOf(s.AllZones(), s.Target.ZoneKey, n) != nil, "needs %d zones in one region, found %s", n, strings.Join(topology.ZoneNames(s.AllZones()...), ", "))
	})
}

// NodesInZone requires that one of the zones has at least n nodes.
func NodesInZone(n int) []harness.Need {
	return ofZones("nodes-in-zone", n, func(s *harness.Scenario) string {
		return lacking(len(topology.WithNodes(s.AllZones(), n).Nodes) > 0, "needs a zone with %d nodes, found none", n)
	})
}

// ofZones returns a need of n zones or nodes. If nodes lack a topology key, zones cannot be determined.
func ofZones(label string, n int, missing func(*harness.Scenario) string) []harness.Need {
	return []harness.Need{{Label: fmt.Sprintf("%s=%d", label, n), By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		s.Need(s.Unzoned, "looking for zones")
		return missing(s)
	}}}
}

// AccessibleFrom requires that volumes of the case are accessible from this number of topologies, 2 or more.
func AccessibleFrom(x int) []harness.Need {
	return []harness.Need{ofProfile(fmt.Sprintf("accessible-from=%d", x), func(t *harness.Target) bool { return t.AccessibleFrom(x) != nil },
		fmt.Sprintf("the profile names no parameters for volumes accessible from %d topologies", x))}
}

// OneProvisioner requires that one provisioner chooses among all zones. If each node has its own, any of them may take a
// claim that binds immediately.
func OneProvisioner() []harness.Need {
	return []harness.Need{{Label: "one-provisioner", By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		return lacking(!s.Driver.PerNode, "needs one provisioner for all zones, found one on each node")
	}}}
}
