// SPDX-License-Identifier: Apache-2.0

// Package node has drivers that stage and publish volumes wrongly, and say wrongly what a node is, and right ones that lack something.
package node

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// catches has every fault, and which cases must catch it for which reason.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"a node has no node_id": {
			mutation.Fails("node_id_set", "NI-06"),
			mutation.Fails("node_uses_volumes", "NI-02"),
		},
		"a node has a node_id of 257 bytes": {
			mutation.Fails("node_id_set", "NI-09"),
			mutation.Fails("node_uses_volumes", "NI-02"),
		},
		"a node has a node_id of 129 bytes": {
			mutation.Warns("node_id_set", "NI-10"),
			mutation.Fails("node_uses_volumes", "NI-02"),
		},
		"two nodes have one node_id": {
			mutation.Fails("node_id_unique", "NI-07"),
			mutation.Fails("node_uses_volumes", "NI-02"),
		},
		"max_volumes_per_node changes": {
			mutation.Warns("node_info_again", "NI-05"),
		},
		"max_volumes_per_node is negative": {
			mutation.Fails("node_limit", "NI-12"),
		},
		"does not claim the topology it has": {
			mutation.Fails("node_topology_claimed", "NI-14"),
		},
		"a node reports its region only": {
			mutation.Warns("node_topology_same_keys", "NI-18"),
		},
		"a node cannot stage": {
			mutation.Fails("node_uses_volumes", "NS-01"),
		},
		"stages on nodes out of reach": {
			mutation.Warns("node_out_of_reach", "NS-01"),
		},
		"claims storage health without it": {
			mutation.Fails("health_of_storage", "GEN-14"),
		},
		"takes a repetition for another path": {
			mutation.Fails("stage_again", "NS-04"),
			mutation.Fails("publish_again publish_read_only publish_again_read_only", "NS-13"),
		},
		"stages a device over a file system": {
			mutation.Warns("stage_again_as_block", "NS-05"),
		},
		"stages what does not exist": {
			mutation.Warns("stage_unknown_volume", "NS-22"),
		},
		"stages in any access mode": {
			mutation.Warns("stage_unknown_mode", "NS-23"),
		},
		"does not unstage": {
			mutation.Fails("unstage_undoes_stage", "NS-06"),
		},
		"NOT_FOUND for a volume that is already unstaged or unpublished": {
			mutation.Fails("unstage_again", "NS-09"),
			mutation.Fails("unpublish_again", "NS-16"),
		},
		"INTERNAL for unstaging a volume that is not staged": {
			mutation.Fails("unstage_unknown_volume", "NS-10"),
		},
		"makes no target": {
			mutation.Fails("publish_makes_target publish_read_only_protects", "NS-20"),
			mutation.Fails("publish_block_target", "NS-19"),
			mutation.Fails("publish_keeps_data", "NS-20"),
			mutation.Fails("publish_block_keeps_data", "NS-19"),
		},
		"mounts nothing": {
			mutation.Fails("publish_keeps_data", "NS-20"),
			mutation.Fails("publish_block_keeps_data", "NS-19"),
		},
		"leaves the target": {
			mutation.Fails("publish_makes_target publish_block_target", "NS-29"),
		},
		"ignores readonly": {
			mutation.Warns("publish_read_only publish_again_read_only", "NS-25"),
		},
		"INTERNAL for an incompatible request": {
			mutation.Fails("publish_read_only publish_again_read_only publish_again_as_block", "NS-25"),
		},
		"INTERNAL for a volume that is staged in another way": {
			mutation.Fails("stage_again_other_mount stage_again_as_block", "NS-05"),
		},
		"publishes at no path of 128 bytes": {
			mutation.Fails("long_paths", "NS-18"),
		},
		"no longer supports SINGLE_NODE_WRITER": {
			mutation.Fails("publish_single_node_writer", "NS-31"),
		},
		"has no VOLUME_MOUNT_GROUP that it claims": {
			mutation.Fails("publish_mount_group", "NS-30"),
		},
		"publishes at any number of paths": {
			mutation.Warns("publish_second_target_other_mode", "NS-27"),
			mutation.Warns("publish_other_capability", "NS-27"),
			mutation.Warns("publish_second_target publish_second_target_single_writer", "NS-14"),
		},
		"publishes otherwise than it staged": {
			mutation.Warns("publish_staged_as_mount publish_staged_for_reading publish_after_refused_staging publish_other_file_system", "NS-26"),
		},
		"publishes as another file system than it staged": {
			mutation.Warns("publish_other_file_system", "NS-26"),
		},
		"forgets how a volume is staged when it refuses to": {
			mutation.Warns("publish_after_refused_staging", "NS-26"),
		},
		"publishes at one path only, in any access mode": {
			mutation.Warns("publish_second_target_multi_writer publish_second_target_multi_node", "NS-14"),
		},
		"INVALID_ARGUMENT for no staging path": {
			mutation.Warns("publish_without_staging", "NS-15"),
		},
		"publishes what is not staged": {
			mutation.Warns("publish_before_stage", "NS-15"),
		},
		"UNKNOWN for a volume that is not staged": {
			mutation.Warns("publish_before_stage", "GEN-09"),
		},
		"publishes what does not exist": {
			mutation.Warns("publish_unknown_volume", "NS-24"),
		},
		"publishes in any access mode": {
			mutation.Warns("publish_unknown_mode", "NS-26"),
		},
		"keeps a volume at its first path": {
			mutation.Fails("unpublish_frees_volume", "NS-16"),
			mutation.Errs("publish_keeps_data publish_block_keeps_data"),
		},
		"INTERNAL for unpublishing a volume that is not published": {
			mutation.Fails("unpublish_unknown_volume", "NS-28"),
		},
		"more is used than there is": {
			mutation.Warns("stats_usage stats_block", "NV-03"),
		},
		"less than nothing is available": {
			mutation.Fails("stats_usage stats_block", "NV-03"),
		},
		"usage has no unit": {
			mutation.Fails("stats_usage stats_block", "NV-03"),
		},
		"usage has no total": {
			mutation.Fails("stats_usage stats_block", "NV-03"),
		},
		"no stats where the volume is staged": {
			mutation.Warns("stats_usage", "NV-02"),
			mutation.Skips("unstage_undoes_stage", suite.ByCapability),
		},
		"INTERNAL for stats of a volume that does not exist": {
			mutation.Fails("stats_unknown_path stats_unknown_volume", "NV-04"),
		},
		"remembers the stats of volumes": {
			mutation.Fails("stats_unknown_path", "NV-04"),
		},
		"stats of any directory": {
			mutation.Warns("stats_unknown_path", "NV-04"),
			mutation.Skips("unstage_undoes_stage", suite.ByCapability),
		},
		"health of no volume": {
			mutation.Fails("health_of_volume", "GEN-05"),
		},
		"the same problem of a volume twice": {
			mutation.Fails("health_of_volume", "GEN-05"),
		},
		"health of what does not exist": {
			mutation.Fails("health_unknown_volume", "NV-06"),
		},
		"a problem of storage without a reason": {
			mutation.Fails("health_of_storage", "GEN-05"),
		},
	}
}

// wide are the faults that show in cases besides those named above.
func wide() []string {
	return []string{"no longer supports SINGLE_NODE_WRITER", "does not claim the topology it has", "a node reports its region only"}
}

// Drivers are the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := maps.Clone(lacks())
	maps.Copy(wanted, mutation.Wrong(faults(), catches(), func(name string) bool { return slices.Contains(wide(), name) }))
	return mutation.Serially(wanted)
}
