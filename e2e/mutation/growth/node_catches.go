// SPDX-License-Identifier: Apache-2.0

package growth

import "github.com/csi-topo/csi-topo/e2e/mutation"

const (
	ofNode = "node_grow_online node_grow_again node_grow_cut_short node_grow_to_smaller node_grow_block " +
		"node_grow_no_range node_grow_no_staging_path node_grow_no_capability node_grow_long_paths node_grow_keeps_data node_grow_block_keeps_data"
	// looking are the cases that look whether the volume has grown on the node.
	looking  = "node_grow_staged node_grow_online node_grow_again node_grow_cut_short node_grow_block node_grow_no_staging_path node_grow_no_capability"
	notThere = "node_grow_unknown_volume node_grow_not_on_node"
)

// nodeCatches has every fault of a node, and which cases must catch it by which clause.
func nodeCatches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"knows no staging paths": {
			mutation.Fails("node_grow_staged", "NE-04"),
		},
		"knows no target paths": {
			mutation.Fails("node_grow_online node_grow_again node_grow_to_smaller", "NE-01"),
			mutation.Fails("node_grow_cut_short", "NE-02"),
		},
		"answers with the old size": {
			mutation.Fails("node_grow_staged node_grow_online node_grow_block", "CR-03"),
		},
		"says no size": {
			mutation.Passes(ofNode + " node_grow_staged"),
		},
		"says OK, and does nothing": {
			mutation.Fails("node_grow_limit", "CR-03"),
			mutation.Warns("node_grow_invalid_range", "CR-05"),
			mutation.Warns("node_grow_as_block", "NE-25"),
			mutation.Fails(looking, "CR-03"),
			mutation.Warns("node_grow_beyond_volume", "CR-03"),
			mutation.Warns("node_grow_unsupported_capability", "NE-25"),
		},
		"cannot grow in use": {
			mutation.Warns("node_grow_limit", "NE-04"),
			mutation.Warns(ofNode+" node_grow_staged node_grow_longest_paths", "NE-04"),
		},
		"cannot grow in use, and says INTERNAL": {
			mutation.Fails("node_grow_online node_grow_again node_grow_to_smaller node_grow_block node_grow_no_range node_grow_no_staging_path node_grow_no_capability node_grow_long_paths node_grow_keeps_data node_grow_block_keeps_data", "NE-01"),
			mutation.Fails("node_grow_staged", "NE-04"),
			mutation.Fails("node_grow_cut_short", "NE-02"),
		},
		"refuses to grow in use without a message": {
			mutation.Fails(ofNode+" node_grow_staged", "GEN-15"),
		},
		"a repeated growth is an error": {
			mutation.Warns("node_grow_invalid_range", "GEN-12"),
			mutation.Fails("node_grow_again node_grow_cut_short", "NE-02"),
		},
		"formats the volume again": {
			mutation.Fails("node_grow_keeps_data node_grow_block_keeps_data", "NE-01"),
		},
		"is stuck once a call was cut short": {
			mutation.Fails("node_grow_cut_short", "NE-02"),
		},
		"answers another size again": {
			mutation.Warns("node_grow_again", "NE-02"),
		},
		"shrinks": {
			mutation.Warns("node_grow_to_smaller", "NE-24"),
		},
		"shrinks, and says nothing": {
			mutation.Fails("node_grow_to_smaller", "NE-01"),
		},
		"a smaller size is out of range": {
			mutation.Warns("node_grow_to_smaller", "NE-03"),
		},
		"needs capacity_range": {
			mutation.Fails("node_grow_no_range", "NE-01"),
		},
		"needs staging_target_path": {
			mutation.Fails("node_grow_no_staging_path", "NE-01"),
		},
		"needs volume_capability": {
			mutation.Fails("node_grow_no_capability", "NE-01"),
		},
		"ignores volume_capability": {
			mutation.Warns("node_grow_as_block", "NE-25"),
			mutation.Warns("node_grow_unsupported_capability", "NE-25"),
		},
		"takes no paths of 128 bytes": {
			mutation.Fails("node_grow_long_paths", "NE-13"),
			mutation.Warns("node_grow_longest_paths", "NE-12"),
		},
		"takes no paths of 256 bytes": {
			mutation.Warns("node_grow_longest_paths", "NE-12"),
		},
		"does not grow block volumes": {
			mutation.Fails("node_grow_block node_grow_block_keeps_data", "NE-01"),
		},
		"OK to what is invalid": {
			mutation.Warns("node_grow_as_block", "NE-25"),
			mutation.Warns("node_grow_invalid_range", "CR-02 CR-04 CR-05 CR-06"),
			mutation.Warns("node_grow_unsupported_capability", "NE-25"),
		},
		"INTERNAL to what is invalid": {
			mutation.Warns("node_grow_invalid_range", "GEN-12"),
			mutation.Fails("node_grow_unsupported_capability", "NE-25"),
		},
		"OK for a volume that is not on the node": {
			mutation.Warns("node_grow_not_on_node_no_fields", "NE-04"),
			mutation.Fails("node_grow_unknown_volume", "NE-26"),
			mutation.Warns("node_grow_not_on_node", "NE-04"),
		},
		"INTERNAL for a volume that is not on the node": {
			mutation.Warns("node_grow_unknown_volume", "NE-26"),
		},
		"a plain error for a volume that is not on the node": {
			mutation.Warns("node_grow_not_on_node_no_fields", "GEN-09"),
			mutation.Warns("node_grow_unknown_volume", "GEN-09 NE-26"),
			mutation.Warns("node_grow_not_on_node", "GEN-09"),
		},
		"OK to more than the volume has": {
			mutation.Warns("node_grow_limit_below_size", "CR-05"),
			mutation.Warns("node_grow_beyond_volume", "CR-03"),
		},
		"INTERNAL to more than the volume has": {
			mutation.Passes("node_grow_beyond_volume"),
		},
		"UNAVAILABLE to more than the volume has": {
			mutation.Passes("node_grow_beyond_volume node_grow_limit_below_size"),
		},
		"takes no limit_bytes": {
			mutation.Warns("node_grow_limit", "NE-28"),
		},
	}
}
