// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"fmt"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// few returns right drivers that have fewer segments than the specification's examples: each case shows what it can
// with them, and reports what it could not show.
func few() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
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

// given passes the given number of node endpoints to the cases, and no segments in the profile.
func given(nodes int) func(*harness.Target) {
	return func(t *harness.Target) { t.Nodes, t.Profile.Segments = t.Nodes[:nodes], nil }
}
