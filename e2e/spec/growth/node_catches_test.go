package growth_test

import "github.com/csi-topo/csi-topo/e2e/spec/spectest"

const (
	ofNode = "node_grow_staged node_grow_published node_grow_online node_grow_again node_grow_to_smaller node_grow_block " +
		"node_grow_no_range node_grow_no_staging_path node_grow_no_capability node_grow_long_paths"
	notThere = "node_grow_unknown_volume node_grow_not_on_node"
)

// nodeCatches has every fault of a node, and which cases must catch it for which reason.
var nodeCatches = map[string][]spectest.Case{
	"knows no staging paths": {
		spectest.Fails("node_grow_staged", "a volume that the node has can grow to 33554432 bytes there (NE-01)"),
	},
	"knows no target paths": {
		spectest.Fails("node_grow_published node_grow_online node_grow_again node_grow_to_smaller", "a volume that the node has can grow to 33554432 bytes there (NE-01)"),
	},
	"answers with the size from before": {
		spectest.Fails("node_grow_staged node_grow_published node_grow_online node_grow_block", "is at least required_bytes (CR-03)"),
	},
	"says no size": {
		spectest.Passes(ofNode, ""),
	},
	"says OK, and does nothing": {
		spectest.Warns("node_grow_online", "a workload sees no growth (NE-01)"),
		spectest.Fails("node_grow_beyond_volume", "the call was not refused"),
	},
	"cannot grow in use": {
		spectest.Warns(ofNode, "says that this one cannot grow in use (NE-27)"),
		spectest.Warns("node_grow_longest_paths", "FailedPrecondition"),
	},
	"cannot grow in use, and says INTERNAL": {
		spectest.Fails(ofNode, "got: INTERNAL: \"the file system does not grow while it is mounted\""),
	},
	"refuses to grow in use without a message": {
		spectest.Fails(ofNode, "no message that a human could read (GEN-15)"),
	},
	"a repeated growth is an error": {
		spectest.Fails("node_grow_again", "the same growth again is idempotent (NE-02)\ngot: INTERNAL"),
	},
	"shrinks": {
		spectest.Fails("node_grow_to_smaller", "expansion never shrinks a volume (NE-03)"),
	},
	"shrinks, and says nothing": {
		spectest.Fails("node_grow_to_smaller", "NodeGetVolumeStats has no fewer bytes in total than before"),
	},
	"a smaller size is out of range": {
		spectest.Warns("node_grow_to_smaller", "which should be OK (NE-03)"),
	},
	"needs capacity_range": {
		spectest.Fails("node_grow_no_range", "capacity_range (NE-16), staging_target_path (NE-18) and volume_capability (NE-22) are optional"),
	},
	"needs staging_target_path": {
		spectest.Fails("node_grow_no_staging_path", "capacity_range (NE-16), staging_target_path (NE-18) and volume_capability (NE-22) are optional"),
	},
	"needs volume_capability": {
		spectest.Fails("node_grow_no_capability", "capacity_range (NE-16), staging_target_path (NE-18) and volume_capability (NE-22) are optional"),
	},
	"ignores volume_capability": {
		spectest.Fails("node_grow_unsupported_capability", "is INVALID_ARGUMENT (NE-25)\ngot: OK"),
	},
	"takes no paths of 128 bytes": {
		spectest.Fails("node_grow_long_paths", "got: INVALID_ARGUMENT: \"a path is too long\""),
		spectest.Warns("node_grow_longest_paths", "those of 4000 bytes are not"),
	},
	"takes no paths of 256 bytes": {
		spectest.Warns("node_grow_longest_paths", "those of 4000 bytes are not"),
	},
	"does not grow block volumes": {
		spectest.Fails("node_grow_block", "got: INTERNAL: \"resize2fs"),
	},
	"OK to what is invalid": {
		spectest.Fails("node_grow_unsupported_capability", "the call was not refused"),
	},
	"INTERNAL to what is invalid": {
		spectest.Fails("node_grow_unsupported_capability", "its code is INTERNAL, not INVALID_ARGUMENT"),
	},
	"OK to a volume that is not there": {
		spectest.Fails(notThere, "the call was not refused"),
	},
	"INTERNAL to a volume that is not there": {
		spectest.Fails("node_grow_unknown_volume", "its code is INTERNAL, not NOT_FOUND"),
	},
	"a plain error for a volume that is not there": {
		spectest.Fails("node_grow_unknown_volume", "its code is UNKNOWN, not NOT_FOUND"),
		spectest.Fails("node_grow_not_on_node", "its code is UNKNOWN, and a status has one of the codes that the specification knows (GEN-09)"),
	},
	"OK to more than the volume has": {
		spectest.Fails("node_grow_beyond_volume", "the call was not refused"),
	},
	"INTERNAL to more than the volume has": {
		spectest.Fails("node_grow_beyond_volume", "its code is INTERNAL, not OUT_OF_RANGE or RESOURCE_EXHAUSTED"),
	},
}
