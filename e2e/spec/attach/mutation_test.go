package attach_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec/attach"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"takes its own node for the only one": {
		spectest.Fails("attach_every_node", "wherever the controller runs (CP-03)"),
		spectest.Errs("detach_from_all detach_one_of_two", "is not this one"),
	},
	"publishes to nodes out of reach": {
		spectest.Fails("attach_out_of_reach", "or fails (CP-12): node node-2"),
	},
	"takes a repetition for a contradiction": {
		spectest.Fails("attach_same_node_again attach_read_only", "already is OK (CP-05)"),
	},
	"publish_context changes": {
		spectest.Fails("attach_same_node_again attach_read_only", "not mutable (CP-22)"),
	},
	"ignores readonly": {
		spectest.Fails("attach_read_only attach_again_read_only", "is incompatible with readonly = "),
		spectest.Fails("attach_single_writer", "to others read-only"),
	},
	"does not publish read-only": {
		spectest.Fails("attach_read_only", "publishes volumes read-only (CP-14)"),
		spectest.Fails("attach_again_read_only", "its code is INVALID_ARGUMENT, not ALREADY_EXISTS"),
		spectest.Fails("attach_single_writer", "to others read-only"),
		spectest.Fails("attach_multi_reader", "made with MULTI_NODE_READER_ONLY"),
	},
	"FAILED_PRECONDITION for what is incompatible": {
		spectest.Fails("attach_read_only attach_again_read_only attach_again_other_mode", "its code is FAILED_PRECONDITION, not ALREADY_EXISTS"),
	},
	"publishes a single-node volume to a second node": {
		spectest.Fails("attach_second_node", "(CP-34)\ngot: OK"),
	},
	"does not say where the volume is": {
		spectest.Warns("attach_second_node", `should name the node_id of the node at which the volume is published, "node-1" (CP-35)`),
	},
	"publishes to one node whatever the access mode": {
		spectest.Fails("attach_multi_writer attach_multi_reader attach_single_writer", "(CP-07, CP-11)"),
		spectest.Errs("detach_from_all detach_one_of_two", "a call that the case needs failed"),
	},
	"takes more volumes than max_volumes_per_node": {
		spectest.Fails("attach_limit", "has max_volumes_per_node = 4, and a call beyond the limit is RESOURCE_EXHAUSTED (CP-36)\ngot: OK"),
	},
	"takes fewer volumes than max_volumes_per_node": {
		spectest.Warns("attach_limit", "has max_volumes_per_node = 9, and took 8"),
	},
	"FAILED_PRECONDITION for a node that is full": {
		spectest.Fails("attach_limit", "its code is FAILED_PRECONDITION, not RESOURCE_EXHAUSTED"),
	},
	"a node that was full has no room when it might": {
		spectest.Fails("attach_limit", "until one of the attached volumes is detached from the node (CP-36)"),
	},
	"publishes what does not exist": {
		spectest.Fails("attach_unknown_volume", "NOT_FOUND (CP-31), and this one was deleted\ngot: OK"),
		spectest.Fails("attach_unknown_node", `no node has the node_id "`+harness.Unlike("node-1")+"\"\ngot: OK"),
	},
	"INVALID_ARGUMENT for what does not exist": {
		spectest.Fails("attach_unknown_volume attach_unknown_node", "its code is INVALID_ARGUMENT, not NOT_FOUND"),
	},
	"publishes with whatever fields": {
		spectest.Fails("attach_unknown_mode", "nobody knows access mode 1000"),
	},
	"needs secrets to publish": {
		spectest.Fails("attach_without_secrets", "secrets are OPTIONAL (CP-17)"),
		spectest.Errs("attach_same_node_again attach_again_read_only attach_again_other_mode attach_second_node "+
			"detach_again detach_other_node detach_then_other_node detach_without_node_id detach_from_all detach_one_of_two detach_unknown_node", "secrets are required"),
	},
	"needs volume_context": {
		spectest.Passes("validate_confirms", ""),
		spectest.Warns("attach_without_context", "alone should be sufficient to identify the volume (VOL-11)"),
	},
	"confirms nothing": {
		spectest.Fails("validate_confirms", "satisfies what it was made with (CV-12)"),
	},
	"confirms without saying what": {
		spectest.Fails("validate_confirms", "the one that was asked for (CV-14)"),
	},
	"confirms whatever is asked": {
		spectest.Fails("validate_unknown_mode", "nobody knows access mode 1000"),
		spectest.Fails("validate_unknown_volume", "a volume that does not exist is NOT_FOUND"),
	},
	"NOT_FOUND for what is not attached": {
		spectest.Fails("detach_again detach_never_attached detach_other_node", "(CU-06)\ngot: NOT_FOUND"),
	},
	"unpublishes from all nodes whichever is named": {
		spectest.Fails("detach_other_node detach_unknown_node", "alone (CU-10): it is on node node-1 still"),
		spectest.Fails("detach_one_of_two", "alone (CU-10): it is on node node-2 still"),
	},
	"unpublishes from all nodes whichever is named, and claims to list none": {
		spectest.Fails("detach_other_node detach_unknown_node", "alone (CU-10): it is in use on node node-1 still"),
		spectest.Fails("detach_one_of_two", "alone (CU-10): it is in use on node node-2 still"),
	},
	"unpublishes from all nodes whichever is named, and lists none": {
		spectest.Fails("detach_other_node detach_unknown_node", "alone (CU-10): it is in use on node node-1 still"),
		spectest.Fails("detach_one_of_two", "alone (CU-10): it is in use on node node-2 still"),
	},
	"unpublishes from the node that is named only": {
		spectest.Fails("detach_without_node_id", "is on no node any more (CU-11)"),
		spectest.Fails("detach_from_all", "was unpublished from all nodes (CU-11)"),
	},
	"unpublishes from one node where it should from all": {
		spectest.Fails("detach_from_all", "was unpublished from all nodes (CU-11)"),
	},
	"keeps a volume from other nodes": {
		spectest.Fails("detach_then_other_node", "ready to be consumed by node node-2 (CU-03)"),
	},
	"INTERNAL for what it does not know": {
		spectest.Fails("detach_unknown_volume detach_unknown_node", "its code is INTERNAL, not NOT_FOUND"),
		spectest.Errs("detach_from_all", "what the case made is left in the driver"),
	},
	"deletes a published volume": {
		spectest.Passes("detach_other_node detach_one_of_two detach_unknown_node", ""),
	},
	"deletes a published volume, and claims to list no nodes": {
		spectest.Skips("detach_other_node detach_one_of_two detach_unknown_node", "and DeleteVolume deletes one that is in use"),
	},
}

// wide are the faults that show in cases besides those named above.
var wide = []string{"takes its own node for the only one", "needs secrets to publish"}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, attach.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	all := maps.Clone(faults)
	maps.Copy(all, detachFaults)
	maps.Copy(wanted, spectest.Wrong(all, catches, func(name string) bool { return slices.Contains(wide, name) }))
	return wanted
}
