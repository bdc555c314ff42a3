// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Claims requires that the driver's controller claims the capabilities.
func Claims(capabilities ...csi.ControllerServiceCapability_RPC_Type) []harness.Need {
	var needs []harness.Need
	for _, c := range capabilities {
		needs = append(needs, ofController(c.String(), func(s *harness.Scenario) bool { return s.Driver.Claims(c) },
			fmt.Sprintf("the driver's controller does not claim %s", c))...)
		if c == csi.ControllerServiceCapability_RPC_EXPAND_VOLUME {
			needs = append(needs, sidecar(resizer))
		}
	}
	return needs
}

// Expansion requires that volumes can be expanded, by the controller or on nodes.
func Expansion() []harness.Need {
	return append(ofController("expansion", func(s *harness.Scenario) bool { return s.Driver.Grows() }, "the plugin does not claim VolumeExpansion"), sidecar(resizer))
}

// Modification requires that the driver modifies volumes, and that the profile has mutable parameters.
func Modification() []harness.Need {
	known := ofProfile("modification", func(t *harness.Target) bool { return len(t.MutableParameters) > 0 },
		"modifies volumes, and the profile does not say what can be modified: mutableParameters")
	return append(Claims(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME), known, sidecar(resizer))
}

// ofController returns the need for a capability of the driver's controller, whose socket the profile must name.
func ofController(label string, claims func(*harness.Scenario) bool, missing string) []harness.Need {
	return []harness.Need{
		{Label: label, By: suite.ByCapability, Missing: func(_ context.Context, s *harness.Scenario) string {
			return lacking(s.Target.Controller == nil || claims(s), "%s", missing)
		}},
		ofProfile("", hasController, "asks the driver's controller, and the profile does not say where its socket is: cluster.controller"),
	}
}

func hasController(t *harness.Target) bool { return t.Controller != nil }

// Block requires that the driver has raw block volumes.
func Block() []harness.Need {
	return []harness.Need{ofProfile("block", func(t *harness.Target) bool { return t.Block }, "uses raw block volumes, and the profile does not say block: true")}
}

// ReadWriteMany requires that the driver has volumes that pods in several zones mount and write at
// once.
func ReadWriteMany() []harness.Need {
	return []harness.Need{{Label: "read-write-many", By: suite.ByProfile, Missing: func(_ context.Context, s *harness.Scenario) string {
		kind := s.Target.ReadWriteMany
		if kind == nil {
			return "uses volumes that several nodes mount at once, and the profile names no parameters for them: cluster.readWriteMany"
		}
		return lacking(kind.AccessibleFrom != 0 && kind.AccessibleFrom != 1,
			"uses volumes that nodes of several zones mount at once: the profile would have to name such volumes as cluster.readWriteMany, and has %s", kind.AccessibleFrom)
	}}}
}

// ExactCapacity declares that the case counts the bytes that a volume occupies.
func ExactCapacity() []harness.Need {
	exact := ofProfile("exact-capacity", func(t *harness.Target) bool { return t.Capacity.Exact() },
		"counts the bytes that a volume takes, and the profile does not say capacity: exact")
	return append(Apart(), exact)
}

// Room declares that the case asks the driver for the room of zones.
func Room() []harness.Need {
	tracked := ofProfile("", func(t *harness.Target) bool { return !t.Capacity.Untracked() },
		"reads what the driver reports of its capacity, from which nothing follows, as the profile says: capacity: untracked")
	return All(Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY), Apart(), []harness.Need{tracked})
}

// Exhaustion declares that the case uses up the room of zones.
func Exhaustion() []harness.Need {
	allowed := ofProfile("exhaustion", func(t *harness.Target) bool { return t.Disturb.Capacity },
		"fills a zone, which the run may not do here: cluster.disturb would have to name capacity")
	return append(Room(), allowed)
}

// PublishedCapacity requires that the CSIDriver announces CSIStorageCapacity objects.
func PublishedCapacity() []harness.Need {
	return []harness.Need{{Label: "published-capacity", By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		return lacking(s.CapacityTracked, "the driver's CSIDriver does not say storageCapacity: true")
	}}}
}
