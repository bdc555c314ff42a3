package placement_test

import (
	"fmt"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// few are drivers that are right and have fewer segments than the specification's examples: each case shows what it can
// with them, and says what it could not.
var few = map[string]spectest.Expectation{
	"one segment": {
		Driver: withSegments("Z2"),
		Cases: []spectest.Case{
			spectest.Passes("T-EQ-1 T-EQ-1F T-NR T-BAD-2 T-BAD-3 name_repeated_when_full at_once_last_room topology_keys", ""),
			spectest.Passes("T-GT-1 T-ID-1 requisite_unknown_beside_known name_repeated_without_requirement", "shown with 1 topology segments of the 2 that the case has in full"),
			spectest.Passes("requisite_every_segment", "shown with 1 topology segments of the 4"),
			spectest.Skips("T-EQ-2 T-LT-1 T-GT-1F T-PF-1a T-PF-2a T-PF-3e T-PO-1 T-BAD-1 T-ID-2 requisite_order", "the driver has 1 topology segments, and the case needs 2"),
			spectest.Skips("T-LT-2 T-PF-2c T-PF-3a", "the driver has 1 topology segments, and the case needs 3"),
		},
	},
	"two segments": {
		Driver: withSegments("Z2", "Z3"),
		Cases: []spectest.Case{
			spectest.Passes("T-EQ-2 T-EQ-2F T-LT-1 T-LT-1F T-GT-1 T-PF-1a T-PF-1b T-BAD-1 T-ID-1 T-ID-2 T-ID-3", ""),
			spectest.Passes("T-GT-1F T-PF-2a T-PF-2b T-PF-2d T-PF-3e requisite_order filled_x_less_than_n filled_x_greater_than_n filled_in_order_of_preference",
				"shown with 2 topology segments of the 4"),
			spectest.Passes("T-PO-1 T-PO-2", "shown with 2 topology segments of the 3"),
			spectest.Skips("T-LT-2 T-LT-2F T-PF-2c T-PF-3a T-PF-3b T-PF-3c filled_two_of_n name_repeated_for_other_pair",
				"the driver has 2 topology segments, and the case needs 3"),
			spectest.Skips("T-PF-3d", "the driver has 2 topology segments, and the case needs 4"),
		},
	},
	"three segments": {
		Driver: withSegments("Z2", "Z3", "Z4"),
		Cases: []spectest.Case{
			spectest.Passes("T-LT-2 T-LT-2F T-PO-1 T-PO-2 name_repeated_for_other_pair", ""),
			spectest.Passes("T-GT-1F T-PF-2a T-PF-2b T-PF-2c T-PF-2d T-PF-3a T-PF-3b T-PF-3c T-PF-3e filled_two_of_n", "shown with 3 topology segments of the 4"),
			spectest.Skips("T-PF-3d", "the driver has 3 topology segments, and the case needs 4"),
		},
	},
	"six segments": {
		Driver: withSegments("Z2", "Z3", "Z4", "Z5", "Z6", "Z7"),
		Cases:  []spectest.Case{spectest.Passes(every, "")},
	},
	"segments of one key": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) {
			for i := range 4 {
				o.Segments = append(o.Segments, topology.Segment{topology.NodeKey: fmt.Sprint(i)})
			}
		}},
		Cases: []spectest.Case{
			spectest.Passes(every, ""),
			spectest.Skips("requisite_narrow_key requisite_wide_key", "the driver's segments have a single key"),
			spectest.Skips("requisite_value_in_other_case", "make no other topology"),
		},
	},
}

func withSegments(zones ...string) spectest.Driver {
	return spectest.Driver{Options: func(o *embedded.Options) {
		for _, name := range zones {
			o.Segments = append(o.Segments, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: name})
		}
	}}
}
