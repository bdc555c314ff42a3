// SPDX-License-Identifier: Apache-2.0

// Package placement has drivers that place volumes wrongly, and correct drivers that lack something.
package placement

import (
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// caughtWhenFull expects that every case in which provisioning is impossible fails by the clause.
func caughtWhenFull(clause string) []mutation.Case {
	return []mutation.Case{mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3 "+
		"requisite_unknown_needed at_once_last_room", clause)}
}

// wrongCodeWhenFull returns the cases that fail for a code that does not fit the condition, with their clauses.
func wrongCodeWhenFull() []mutation.Case {
	return []mutation.Case{
		mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3", "CREATE-02 CREATE-08"),
		mutation.Fails("requisite_unknown_needed", "GEN-12"),
		mutation.Fails("at_once_last_room", "CREATE-08"),
	}
}

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(lacks(), faults(), wrongLists(), wrongNames(), wrongAnswers(), transient(), untoldRoom(), wrongForms(),
		wrongTerms(), controllersPerNode())
}

// The cases of the specification's examples: all of them, the cases with volumes in two topologies, and the cases
// that fill segments.
const (
	every = "T-EQ-1 T-EQ-1F T-NR T-BAD-2 T-BAD-3 T-EQ-2 T-EQ-2F T-LT-1 T-LT-1F T-GT-1 T-PF-1a T-PF-1b T-BAD-1 T-ID-1 T-ID-2 T-ID-3 " +
		"T-LT-2 T-LT-2F T-GT-1F T-PF-2a T-PF-2b T-PF-2c T-PF-3b T-PF-3c T-PO-1 T-PO-2 T-PF-2d T-PF-3a T-PF-3d T-PF-3e"
	ofTwo   = "T-EQ-2 T-EQ-2F T-LT-2 T-LT-2F T-GT-1 T-GT-1F T-PF-3a T-PF-3b T-PF-3c T-PF-3d T-PF-3e"
	fillers = "T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-1b T-PF-2b T-PF-2c T-PF-2d T-PF-3b T-PF-3c T-PF-3d T-PF-3e T-PO-2 T-ID-3"
)

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no volumes of two topologies": mutation.Told(func(t *harness.Target) { t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1]) },
			mutation.Skips(ofTwo, suite.ByProfile)),
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips(fillers, suite.ByCapability)),
		"no capability CREATE_DELETE_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			mutation.Skips(every, suite.ByCapability)),
		"less room than a case needs": mutation.Told(func(t *harness.Target) { t.Profile.VolumeBytes = mutation.LargestVolume },
			mutation.Skips(every, suite.ByEnvironment)),
		"two nodes in a zone": mutation.Told(func(t *harness.Target) { t.Nodes = append(t.Nodes, t.Nodes[0]) },
			mutation.Passes(every)),

		"one segment": mutation.Started(mutation.InZones("Z2"),
			mutation.Passes("T-EQ-1 T-EQ-1F T-NR T-BAD-2 T-BAD-3 name_repeated_when_full at_once_last_room topology_keys"),
			mutation.Passes("T-GT-1 T-ID-1 requisite_unknown_beside_known name_repeated_without_requirement"),
			mutation.Skips("requisite_every_segment T-EQ-2 T-LT-1 T-GT-1F T-PF-1a T-PF-2a T-PF-3e T-PO-1 T-BAD-1 T-ID-2 requisite_order", suite.ByEnvironment),
			mutation.Skips("T-LT-2 T-PF-2c T-PF-3a", suite.ByEnvironment)),
		"two segments": mutation.Started(mutation.InZones("Z2", "Z3"),
			mutation.Passes("T-EQ-2 T-EQ-2F T-LT-1 T-LT-1F T-GT-1 T-PF-1a T-PF-1b T-BAD-1 T-ID-1 T-ID-2 T-ID-3"),
			mutation.Passes("T-GT-1F T-PF-2a T-PF-2b T-PF-2d T-PF-3e requisite_order"), mutation.Passes("T-PO-1"),
			mutation.Skips("T-LT-2 T-LT-2F T-PO-2 T-PF-2c T-PF-3a T-PF-3b T-PF-3c name_repeated_for_other_pair", suite.ByEnvironment),
			mutation.Skips("T-PF-3d", suite.ByEnvironment)),
		"three segments": mutation.Started(mutation.InZones("Z2", "Z3", "Z4"),
			mutation.Passes("T-LT-2 T-LT-2F T-PO-1 T-PO-2 name_repeated_for_other_pair"),
			mutation.Passes("T-GT-1F T-PF-2a T-PF-2b T-PF-2c T-PF-2d T-PF-3a T-PF-3b T-PF-3c T-PF-3e"),
			mutation.Skips("T-PF-3d", suite.ByEnvironment)),
		"one node endpoint of four": mutation.Told(given(1),
			mutation.Passes("T-EQ-1 T-EQ-1F T-NR T-BAD-2 T-GT-1 T-ID-1 name_repeated_when_full name_repeated_without_requirement topology_listed topology_keys"),
			mutation.Skips("T-LT-1 T-GT-1F T-PF-1a T-PO-1 T-BAD-1 T-ID-2 requisite_order requisite_every_segment", suite.ByEnvironment)),
		"no node endpoint, so that volumes tell the segments": mutation.Told(given(0),
			mutation.Passes("topology_listed topology_got topology_only_where_claimed"), mutation.Passes(every)),
		"six segments": mutation.Started(mutation.InZones("Z2", "Z3", "Z4", "Z5", "Z6", "Z7"), mutation.Passes(every)),
		"segments of one key": mutation.Started(func(o *embedded.Options) {
			for i := range 4 {
				o.Segments = append(o.Segments, topology.Segment{topology.NodeKey: fmt.Sprint(i)})
			}
		}, mutation.Passes(every),
			mutation.Skips("requisite_narrow_key requisite_wide_key requisite_mixed_narrow requisite_mixed_wide", suite.ByEnvironment),
			mutation.Skips("requisite_value_in_other_case", suite.ByEnvironment)),
	}
}

// controllersPerNode returns drivers with a controller on each node.
func controllersPerNode() map[string]mutation.Expectation {
	const profile = "driver: hostpath.topo.csi\nvolumeBytes: 16777216\nvolumes: [{accessibleFrom: 1}]\ncontrollerPerNode: true\n"
	return map[string]mutation.Expectation{
		"has a controller on each node, all of which say the last node of their volumes": mutation.ExpectWide(mutation.Driver{PerNode: []string{"a", "b"}, Profile: profile, Preflight: true,
			Fault: saysOfVolumes(topology.NodeKey, "b").Over(mutation.Lacking(mutation.Attaching...))},
			mutation.Fails("T-EQ-1", "TR-04"), mutation.Skips("T-LT-1", suite.ByProfile)),
	}
}

// given passes the given number of node endpoints to the cases, and no segments in the profile.
func given(nodes int) func(*harness.Target) {
	return func(t *harness.Target) { t.Nodes, t.Profile.Segments = t.Nodes[:nodes], nil }
}
