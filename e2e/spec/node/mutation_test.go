package node_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec/node"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"a node has no node_id": {
		spectest.Fails("node_id_set", "node_id is REQUIRED (NI-06)"),
		spectest.Fails("node_uses_volumes", "is the node where the volume will be used (NI-02, NS-01)"),
	},
	"a node has a node_id of 257 bytes": {
		spectest.Fails("node_id_set", "node_id has 256 bytes at most (NI-09)"),
		spectest.Fails("node_uses_volumes", "is the node where the volume will be used (NI-02, NS-01)"),
	},
	"a node has a node_id of 129 bytes": {
		spectest.Warns("node_id_set", "node_id should have 128 bytes at most (NI-10), and has 129"),
		spectest.Fails("node_uses_volumes", "is the node where the volume will be used (NI-02, NS-01)"),
	},
	"two nodes have one node_id": {
		spectest.Fails("node_id_unique", `node endpoints 3 and 4 both answer "node-3"`),
		spectest.Fails("node_uses_volumes", "is the node where the volume will be used (NI-02, NS-01)"),
	},
	"max_volumes_per_node changes": {
		spectest.Fails("node_info_again", "its first answer is as good as any"),
	},
	"max_volumes_per_node is negative": {
		spectest.Fails("node_limit", "must not set negative values for max_volumes_per_node (NI-12): node node-4"),
	},
	"does not claim the topology it has": {
		spectest.Fails("node_topology_claimed", "has VOLUME_ACCESSIBILITY_CONSTRAINTS (NI-14)"),
	},
	"a node reports its region only": {
		spectest.Warns("node_topology_same_keys", "node node-4 reports the topology keys"),
	},
	"nodes report their region only": {
		spectest.Fails("node_topology_of_volumes", "NodeGetInfo reports no such keys (NI-18)"),
	},
	"a node cannot stage": {
		spectest.Fails("node_uses_volumes", "node node-3 is the node where the volume will be used (NI-02, NS-01)"),
	},
	"stages on nodes out of reach": {
		spectest.Fails("node_out_of_reach", "where the call runs (NS-01): node node-2"),
	},
	"claims storage health without it": {
		spectest.Fails("health_of_storage", "implements NodeGetStorageHealth"),
	},
	"takes a repetition for another path": {
		spectest.Fails("stage_again", "NodeStageVolume is idempotent (NS-04)"),
		spectest.Fails("publish_again publish_read_only publish_again_read_only", "NodePublishVolume is idempotent (NS-13)"),
	},
	"stages a device over a file system": {
		spectest.Fails("stage_again_as_block", "is ALREADY_EXISTS (NS-05)\ngot: OK"),
	},
	"stages what does not exist": {
		spectest.Fails("stage_unknown_volume", "that NodeStageVolume has for it (GEN-09)\ngot: OK"),
	},
	"stages in whatever mode": {
		spectest.Fails("stage_unknown_mode", "an invalid value INVALID_ARGUMENT (GEN-12)\ngot: OK"),
	},
	"does not unstage": {
		spectest.Fails("unstage_undoes_stage", "NOT_FOUND there\ngot: OK"),
	},
	"NOT_FOUND for what is taken away": {
		spectest.Fails("unstage_again", "is OK (NS-09)\ngot: NOT_FOUND"),
		spectest.Fails("unpublish_again", "is OK (NS-16)\ngot: NOT_FOUND"),
	},
	"INTERNAL for what is not there to unstage": {
		spectest.Fails("unstage_unknown_volume", "its code is INTERNAL, not NOT_FOUND"),
	},
	"makes no target": {
		spectest.Fails("publish_makes_target", "the plugin creates target_path"),
		spectest.Fails("publish_block_target", "places the block device at target_path"),
	},
	"leaves the target": {
		spectest.Fails("publish_makes_target publish_block_target", "deletes what it created at target_path"),
		spectest.Errs("node_uses_volumes publish_again publish_read_only publish_again_read_only unpublish_again unpublish_frees_volume "+ofWriters+" "+
			"publish_second_target publish_second_target_multi_node health_of_volume "+
			"stats_usage stats_unknown_path stats_block", "what the case made is left in the driver: directory"),
	},
	"ignores readonly": {
		spectest.Fails("publish_read_only publish_again_read_only", "ALREADY_EXISTS (GEN-09, NS-14)\ngot: OK"),
	},
	"INTERNAL for what is incompatible": {
		spectest.Fails("publish_read_only publish_again_read_only", "its code is INTERNAL, not ALREADY_EXISTS"),
	},
	"publishes at whatever path": {
		spectest.Warns("publish_second_target publish_second_target_single_writer", "should be FAILED_PRECONDITION (NS-14), and is OK"),
	},
	"publishes at one path in whatever mode": {
		spectest.Warns("publish_second_target_multi_writer publish_second_target_multi_node", "should be OK (NS-14), and is FAILED_PRECONDITION"),
	},
	"INVALID_ARGUMENT for no staging path": {
		spectest.Fails("publish_without_staging", "its code is INVALID_ARGUMENT, not FAILED_PRECONDITION"),
	},
	"publishes what is not staged": {
		spectest.Warns("publish_before_stage", "where it was never staged"),
	},
	"UNKNOWN for what is not staged": {
		spectest.Fails("publish_before_stage", "its code is UNKNOWN"),
	},
	"publishes what does not exist": {
		spectest.Fails("publish_unknown_volume", "that NodePublishVolume has for it (GEN-09)\ngot: OK"),
	},
	"publishes in whatever mode": {
		spectest.Fails("publish_unknown_mode", "an invalid value INVALID_ARGUMENT (GEN-12)\ngot: OK"),
	},
	"keeps a volume at its first path": {
		spectest.Fails("unpublish_frees_volume", "the volume is at no path any more"),
	},
	"INTERNAL for what is not there to unpublish": {
		spectest.Fails("unpublish_unknown_volume", "its code is INTERNAL, not NOT_FOUND"),
	},
	"more is used than there is": {
		spectest.Fails("stats_usage stats_block", "used is more than total"),
	},
	"less than nothing is available": {
		spectest.Fails("stats_usage stats_block", "available must not be negative"),
	},
	"usage has no unit": {
		spectest.Fails("stats_usage stats_block", "unit is REQUIRED (GEN-05)"),
	},
	"usage has no total": {
		spectest.Fails("stats_usage stats_block", "total is REQUIRED (GEN-05)"),
	},
	"no stats where the volume is staged": {
		spectest.Fails("stats_usage", "any path where the volume was staged or published"),
		spectest.Errs("unstage_undoes_stage", "a call that the case needs failed"),
	},
	"INTERNAL for stats of what is not there": {
		spectest.Fails("stats_unknown_path stats_unknown_volume unstage_undoes_stage", "its code is INTERNAL, not NOT_FOUND"),
	},
	"stats of whatever directory": {
		spectest.Fails("stats_unknown_path", "volume_path is that of an empty directory"),
		spectest.Skips("unstage_undoes_stage", "so does not tell where it is"),
	},
	"health of no volume": {
		spectest.Fails("health_of_volume", "volume_health is REQUIRED"),
	},
	"the same problem of a volume twice": {
		spectest.Fails("health_of_volume", "no two have both the same"),
	},
	"health of what does not exist": {
		spectest.Fails("health_unknown_volume", "that NodeGetVolumeHealth has for it (GEN-09)"),
	},
	"a problem of storage without a reason": {
		spectest.Fails("health_of_storage", "has a status and a reason"),
	},
}

// wide are the faults that show in cases besides those named above.
var wide = []string{"does not claim the topology it has", "nodes report their region only", "a node reports its region only"}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, node.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return slices.Contains(wide, name) }))
	return wanted
}
