// SPDX-License-Identifier: Apache-2.0

package node_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/node"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"a node has no node_id": {
		spectest.Fails("node_id_set", "NI-06"),
		spectest.Fails("node_uses_volumes", "NI-02"),
	},
	"a node has a node_id of 257 bytes": {
		spectest.Fails("node_id_set", "NI-09"),
		spectest.Fails("node_uses_volumes", "NI-02"),
	},
	"a node has a node_id of 129 bytes": {
		spectest.Warns("node_id_set", "NI-10"),
		spectest.Fails("node_uses_volumes", "NI-02"),
	},
	"two nodes have one node_id": {
		spectest.Fails("node_id_unique", "NI-07"),
		spectest.Fails("node_uses_volumes", "NI-02"),
	},
	"max_volumes_per_node changes": {
		spectest.Warns("node_info_again", "NI-05"),
	},
	"max_volumes_per_node is negative": {
		spectest.Fails("node_limit", "NI-12"),
	},
	"does not claim the topology it has": {
		spectest.Fails("node_topology_claimed", "NI-14"),
	},
	"a node reports its region only": {
		spectest.Warns("node_topology_same_keys", "NI-18"),
	},
	"a node cannot stage": {
		spectest.Fails("node_uses_volumes", "NS-01"),
	},
	"stages on nodes out of reach": {
		spectest.Warns("node_out_of_reach", "NS-01"),
	},
	"claims storage health without it": {
		spectest.Fails("health_of_storage", "GEN-14"),
	},
	"takes a repetition for another path": {
		spectest.Fails("stage_again", "NS-04"),
		spectest.Fails("publish_again publish_read_only publish_again_read_only", "NS-13"),
	},
	"stages a device over a file system": {
		spectest.Warns("stage_again_as_block", "NS-05"),
	},
	"stages what does not exist": {
		spectest.Warns("stage_unknown_volume", "NS-22"),
	},
	"stages in any access mode": {
		spectest.Warns("stage_unknown_mode", "NS-23"),
	},
	"does not unstage": {
		spectest.Fails("unstage_undoes_stage", "NS-06"),
	},
	"NOT_FOUND for a volume that is already unstaged or unpublished": {
		spectest.Fails("unstage_again", "NS-09"),
		spectest.Fails("unpublish_again", "NS-16"),
	},
	"INTERNAL for unstaging a volume that is not staged": {
		spectest.Fails("unstage_unknown_volume", "NS-10"),
	},
	"makes no target": {
		spectest.Fails("publish_makes_target publish_read_only_protects", "NS-20"),
		spectest.Fails("publish_block_target", "NS-19"),
		spectest.Fails("publish_keeps_data", "NS-20"),
		spectest.Fails("publish_block_keeps_data", "NS-19"),
	},
	"mounts nothing": {
		spectest.Fails("publish_keeps_data", "NS-20"),
		spectest.Fails("publish_block_keeps_data", "NS-19"),
	},
	"leaves the target": {
		spectest.Fails("publish_makes_target publish_block_target", "NS-29"),
	},
	"ignores readonly": {
		spectest.Warns("publish_read_only publish_again_read_only", "NS-25"),
	},
	"INTERNAL for an incompatible request": {
		spectest.Fails("publish_read_only publish_again_read_only publish_again_as_block", "NS-25"),
	},
	"INTERNAL for a volume that is staged in another way": {
		spectest.Fails("stage_again_other_mount stage_again_as_block", "NS-05"),
	},
	"publishes at no path of 128 bytes": {
		spectest.Fails("long_paths", "NS-18"),
	},
	"no longer supports SINGLE_NODE_WRITER": {
		spectest.Fails("publish_single_node_writer", "NS-31"),
	},
	"has no VOLUME_MOUNT_GROUP that it claims": {
		spectest.Fails("publish_mount_group", "NS-30"),
	},
	"publishes at any number of paths": {
		spectest.Warns("publish_other_capability", "NS-27"),
		spectest.Warns("publish_second_target publish_second_target_single_writer", "NS-14"),
	},
	"publishes at one path only, in any access mode": {
		spectest.Warns("publish_second_target_multi_writer publish_second_target_multi_node", "NS-14"),
	},
	"INVALID_ARGUMENT for no staging path": {
		spectest.Warns("publish_without_staging", "NS-15"),
	},
	"publishes what is not staged": {
		spectest.Warns("publish_before_stage", "NS-15"),
	},
	"UNKNOWN for a volume that is not staged": {
		spectest.Warns("publish_before_stage", "GEN-09"),
	},
	"publishes what does not exist": {
		spectest.Warns("publish_unknown_volume", "NS-24"),
	},
	"publishes in any access mode": {
		spectest.Warns("publish_unknown_mode", "NS-26"),
	},
	"keeps a volume at its first path": {
		spectest.Fails("unpublish_frees_volume", "NS-16"),
		spectest.Errs("publish_keeps_data publish_block_keeps_data"),
	},
	"INTERNAL for unpublishing a volume that is not published": {
		spectest.Fails("unpublish_unknown_volume", "NS-28"),
	},
	"more is used than there is": {
		spectest.Warns("stats_usage stats_block", "NV-03"),
	},
	"less than nothing is available": {
		spectest.Fails("stats_usage stats_block", "NV-03"),
	},
	"usage has no unit": {
		spectest.Fails("stats_usage stats_block", "NV-03"),
	},
	"usage has no total": {
		spectest.Fails("stats_usage stats_block", "NV-03"),
	},
	"no stats where the volume is staged": {
		spectest.Warns("stats_usage", "NV-02"),
		spectest.Skips("unstage_undoes_stage", verdict.ByCapability),
	},
	"INTERNAL for stats of a volume that does not exist": {
		spectest.Fails("stats_unknown_path stats_unknown_volume", "NV-04"),
	},
	"stats of any directory": {
		spectest.Warns("stats_unknown_path", "NV-04"),
		spectest.Skips("unstage_undoes_stage", verdict.ByCapability),
	},
	"health of no volume": {
		spectest.Fails("health_of_volume", "GEN-05"),
	},
	"the same problem of a volume twice": {
		spectest.Fails("health_of_volume", "GEN-05"),
	},
	"health of what does not exist": {
		spectest.Fails("health_unknown_volume", "NV-06"),
	},
	"a problem of storage without a reason": {
		spectest.Fails("health_of_storage", "GEN-05"),
	},
}

// wide are the faults that show in cases besides those named above.
var wide = []string{"no longer supports SINGLE_NODE_WRITER", "does not claim the topology it has", "a node reports its region only"}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, node.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Skips("publish_read_only_protects", verdict.ByEnvironment), spectest.Skips("publish_mount_group", verdict.ByCapability))
}

// TestReasonsHaveNoPaths shows that a skip has the same reason in each run.
func TestReasonsHaveNoPaths(t *testing.T) {
	for _, c := range spectest.Run(t, spectest.Reference).Cases {
		if strings.Contains(c.Reason, "/") {
			t.Errorf("case %s is %s for a reason with a path: %s", c.ID, c.Verdict, c.Reason)
		}
	}
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return slices.Contains(wide, name) }))
	return spectest.Serially(wanted)
}
