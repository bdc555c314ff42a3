// SPDX-License-Identifier: Apache-2.0

package attach_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/attach"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"takes its own node for the only one": {
		spectest.Fails("attach_every_node", "CP-03"),
		spectest.Errs("detach_from_all detach_one_of_two"),
	},
	"publishes to nodes out of reach": {
		spectest.Fails("attach_out_of_reach", "CP-12"),
	},
	"takes a repetition for a contradiction": {
		spectest.Fails("attach_same_node_again attach_read_only attach_again_read_only", "CP-05"),
	},
	"publish_context changes": {
		spectest.Fails("attach_same_node_again attach_read_only attach_again_read_only", "CP-22"),
	},
	"ignores readonly": {
		spectest.Fails("attach_read_only attach_again_read_only", "CP-33"),
		spectest.Fails("attach_single_writer", "CV-12"),
	},
	"does not publish read-only": {
		spectest.Fails("attach_read_only attach_read_only_protects", "CP-14"),
		spectest.Fails("attach_again_read_only", "CP-33"),
		spectest.Fails("attach_single_writer attach_multi_reader", "CV-12"),
	},
	"FAILED_PRECONDITION for an incompatible request": {
		spectest.Fails("attach_read_only attach_again_read_only", "CP-33"),
		spectest.Fails("attach_again_other_mode", "CP-33"),
	},
	"publishes a single-node volume to a second node": {
		spectest.Warns("attach_second_node", "CP-34"),
		spectest.Warns("attach_single_writer", "CP-11"),
	},
	"publishes a single-node volume to a second node, and confirms no other mode": {
		spectest.Fails("attach_second_node", "CP-34"),
		spectest.Warns("attach_single_writer", "CP-11"),
	},
	"does not say where the volume is": {
		spectest.Warns("attach_second_node", "CP-35"),
	},
	"publishes to one node whatever the access mode": {
		spectest.Fails("attach_multi_writer attach_multi_writer_block attach_multi_reader attach_single_writer", "CV-12"),
		spectest.Errs("detach_from_all detach_one_of_two"),
	},
	"creates volumes in Z3 only": {
		spectest.Skips("attach_limit", verdict.ByEnvironment),
	},
	"takes more volumes than max_volumes_per_node": {
		spectest.Warns("attach_limit", "CP-36"),
	},
	"takes fewer volumes than max_volumes_per_node": {
		spectest.Warns("attach_limit", "CP-29"),
	},
	"FAILED_PRECONDITION for a node that is full": {
		spectest.Fails("attach_limit", "CP-36"),
	},
	"a node that was full has no room when it might": {
		spectest.Fails("attach_limit", "CP-36"),
	},
	"publishes what does not exist": {
		spectest.Fails("attach_unknown_volume", "CP-31"),
		spectest.Fails("attach_unknown_node", "CP-32"),
	},
	"INVALID_ARGUMENT for a volume that does not exist": {
		spectest.Fails("attach_unknown_volume", "CP-31"),
		spectest.Fails("attach_unknown_node", "CP-32"),
	},
	"publishes with any fields": {
		spectest.Warns("attach_unknown_mode", "CP-12"),
	},
	"needs secrets to publish": {
		spectest.Fails("attach_every_node", "CP-01"),
		spectest.Errs("attach_same_node_again attach_again_read_only attach_again_other_mode attach_second_node " +
			"detach_again detach_other_node detach_then_other_node detach_from_all detach_one_of_two detach_out_of_reach detach_unknown_node"),
	},
	"needs volume_context": {
		spectest.Passes("validate_confirms"),
		spectest.Warns("attach_without_context", "VOL-11"),
	},
	"confirms nothing": {
		spectest.Warns("validate_confirms", "VV-01"),
	},
	"confirms without saying what": {
		spectest.Fails("validate_confirms", "VV-02"),
	},
	"confirms any capability": {
		spectest.Warns("validate_unknown_mode", "VV-01"),
		spectest.Fails("validate_unknown_volume", "VV-03"),
	},
	"NOT_FOUND for a volume that is not attached": {
		spectest.Fails("detach_again", "CU-05"),
		spectest.Fails("detach_never_attached detach_other_node", "CU-06"),
	},
	"unpublishes from all nodes whichever is named": {
		spectest.Fails("detach_other_node detach_out_of_reach detach_unknown_node", "CU-10"),
		spectest.Fails("detach_one_of_two", "CU-10"),
		spectest.Warns("attach_single_writer", "CP-11"),
	},
	"unpublishes from all nodes whichever is named, and claims to list none": {
		spectest.Fails("detach_other_node detach_out_of_reach detach_unknown_node", "CU-10"),
		spectest.Fails("detach_one_of_two", "CU-10"),
		spectest.Warns("attach_single_writer", "CP-11"),
	},
	"unpublishes from all nodes whichever is named, and lists none": {
		spectest.Fails("detach_other_node detach_out_of_reach detach_unknown_node", "CU-10"),
		spectest.Fails("detach_one_of_two", "CU-10"),
		spectest.Warns("attach_single_writer", "CP-11"),
		spectest.Warns("attach_every_node", "CP-02"),
	},
	"unpublishes from the node that is named only": {
		spectest.Fails("detach_from_all", "CU-11"),
	},
	"unpublishes from one node where it should from all": {
		spectest.Fails("detach_from_all", "CU-11"),
	},
	"lists every node that a volume ever was on": {
		spectest.Warns("detach_from_all", "LV-07"),
	},
	"keeps a volume from other nodes": {
		spectest.Fails("detach_then_other_node", "CU-10"),
	},
	"INTERNAL for an unknown volume or node": {
		spectest.Fails("detach_unknown_volume", "CU-17"),
		spectest.Fails("detach_unknown_node", "CU-18"),
	},
	"deletes a published volume": {
		spectest.Passes("detach_other_node detach_one_of_two detach_unknown_node"),
	},
	"deletes a published volume, and claims to list no nodes": {
		spectest.Skips("detach_other_node detach_one_of_two detach_unknown_node", verdict.ByCapability),
	},
}

// wide are the faults that show in cases besides those named above.
var wide = []string{"creates volumes in Z3 only", "takes its own node for the only one", "needs secrets to publish"}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, attach.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Skips("attach_read_only_protects", verdict.ByEnvironment))
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
	all := maps.Clone(faults)
	maps.Copy(all, detachFaults)
	maps.Copy(wanted, spectest.Wrong(all, catches, func(name string) bool { return slices.Contains(wide, name) }))
	return spectest.Serially(wanted)
}
