// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Zones says that so many zones have nodes with the driver.
func Zones(n int) []Need {
	return ofZones("zones", n, func(s *Scenario) string {
		return lacking(len(s.all) >= n, "needs %d zones with the driver, found %d: %s", n, len(s.all), strings.Join(ZoneNames(s.all...), ", "))
	})
}

// Neighbours says that so many zones differ in nothing but the value of the zone key.
func Neighbours(n int) []Need {
	return ofZones("neighbours", n, func(s *Scenario) string {
		return lacking(s.neighbours(n) != nil, "needs %d zones in one region, found %s", n, strings.Join(ZoneNames(s.all...), ", "))
	})
}

// NodesInZone says that one of the zones has so many nodes.
func NodesInZone(n int) []Need {
	return ofZones("nodes-in-zone", n, func(s *Scenario) string {
		return lacking(len(s.zoneWithNodes(n).Nodes) > 0, "needs a zone with %d nodes, found none", n)
	})
}

// ofZones is a need of so many zones or nodes. Where nodes lack a topology key, nothing can be told of zones.
func ofZones(label string, n int, missing func(*Scenario) string) []Need {
	return []Need{{Label: fmt.Sprintf("%s=%d", label, n), By: suite.ByEnvironment, Missing: func(_ context.Context, s *Scenario) string {
		s.Need(s.unzoned, "looking for zones")
		return missing(s)
	}}}
}

// AccessibleFrom says that volumes of the case are accessible from this number of topologies, 2 or more.
func AccessibleFrom(x int) []Need {
	return []Need{ofProfile(fmt.Sprintf("accessible-from=%d", x), func(t *Target) bool { return t.AccessibleFrom(x) != nil },
		fmt.Sprintf("the profile names no parameters for volumes accessible from %d topologies", x))}
}

// OneProvisioner says that one provisioner chooses among all zones. Where each node has its own, they take claims that bind
// immediately as they come.
func OneProvisioner() []Need {
	return []Need{{Label: "one-provisioner", By: suite.ByEnvironment, Missing: func(_ context.Context, s *Scenario) string {
		return lacking(!s.driver.perNode, "needs one provisioner for all zones, found one on each node")
	}}}
}
