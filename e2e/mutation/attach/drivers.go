// SPDX-License-Identifier: Apache-2.0

// Package attach has drivers that attach and detach volumes wrongly, and confirm capabilities wrongly, and right ones that lack something.
package attach

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// catches has every fault, and which cases must catch it for which reason.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"takes its own node for the only one": {
			mutation.Fails("attach_every_node", "CP-03"),
			mutation.Errs("detach_from_all detach_one_of_two detach_second_of_two"),
		},
		"publishes to nodes out of reach": {
			mutation.Fails("attach_out_of_reach", "CP-12"),
		},
		"takes a repetition for a contradiction": {
			mutation.Fails("attach_same_node_again attach_read_only attach_again_read_only", "CP-05"),
		},
		"publish_context changes": {
			mutation.Errs("attach_read_only_published"), // nodes of the reference driver know what they get
			mutation.Fails("attach_same_node_again attach_read_only attach_again_read_only", "CP-22"),
		},
		"ignores readonly": {
			mutation.Fails("attach_read_only attach_again_read_only", "CP-33"),
			mutation.Fails("attach_single_writer", "CV-12"),
		},
		"does not publish read-only": {
			mutation.Fails("attach_read_only_published", "CP-14"),
			mutation.Fails("attach_read_only attach_read_only_protects", "CP-14"),
			mutation.Fails("attach_again_read_only", "CP-33"),
			mutation.Fails("attach_single_writer attach_multi_reader", "CV-12"),
		},
		"FAILED_PRECONDITION for an incompatible request": {
			mutation.Fails("attach_read_only attach_again_read_only", "CP-33"),
			mutation.Fails("attach_again_other_mode", "CP-33"),
		},
		"publishes a single-node volume to a second node": {
			mutation.Warns("attach_single_node_beside attach_single_writer_beside", "CP-11"),
			mutation.Warns("attach_second_node", "CP-34"),
			mutation.Warns("attach_single_writer", "CP-11"),
		},
		"publishes a single-node volume to a second node, and confirms no other mode": {
			mutation.Warns("attach_single_node_beside attach_single_writer_beside", "CP-11"),
			mutation.Fails("attach_second_node", "CP-34"),
			mutation.Warns("attach_single_writer", "CP-11"),
		},
		"does not say where the volume is": {
			mutation.Warns("attach_second_node", "CP-35"),
		},
		"publishes to one node whatever the access mode": {
			mutation.Fails("attach_multi_writer attach_multi_writer_block attach_multi_reader attach_single_writer", "CV-12"),
			mutation.Errs("detach_from_all detach_one_of_two detach_second_of_two"),
		},
		"creates volumes in Z3 only": {
			mutation.Skips("attach_limit", suite.ByEnvironment),
		},
		"takes more volumes than max_volumes_per_node": {
			mutation.Warns("attach_limit", "CP-36"),
		},
		"takes fewer volumes than max_volumes_per_node": {
			mutation.Warns("attach_limit", "CP-29"),
		},
		"FAILED_PRECONDITION for a node that is full": {
			mutation.Fails("attach_limit", "CP-36"),
		},
		"a node that was full has no room when it might": {
			mutation.Fails("attach_limit", "CP-36"),
		},
		"publishes what does not exist": {
			mutation.Fails("attach_unknown_volume", "CP-31"),
			mutation.Fails("attach_unknown_node", "CP-32"),
		},
		"INVALID_ARGUMENT for a volume that does not exist": {
			mutation.Fails("attach_unknown_volume", "CP-31"),
			mutation.Fails("attach_unknown_node", "CP-32"),
		},
		"publishes with any fields": {
			mutation.Warns("attach_unknown_mode", "CP-12"),
		},
		"needs secrets to publish": {
			mutation.Fails("attach_every_node", "CP-01"),
			mutation.Errs("attach_same_node_again attach_again_read_only attach_again_other_mode attach_second_node " +
				"detach_again detach_other_node detach_then_other_node detach_from_all detach_one_of_two detach_out_of_reach detach_unknown_node"),
		},
		"needs volume_context": {
			mutation.Errs("attach_read_only_published"),
			mutation.Passes("validate_confirms"),
			mutation.Warns("attach_without_context", "VOL-11"),
		},
		"confirms nothing": {
			mutation.Warns("validate_parameters", "VV-01"),
			mutation.Warns("validate_confirms", "VV-01"),
		},
		"confirms without saying what": {
			mutation.Fails("validate_confirms", "VV-02"),
		},
		"confirms any capability": {
			mutation.Warns("validate_unknown_mode", "VV-01"),
			mutation.Fails("validate_unknown_volume", "VV-03"),
		},
		"confirms whatever fields it is asked for": {
			mutation.Warns("validate_parameters validate_unknown_fields", "VV-01"),
		},
		"cannot use what is attached read-only": {
			mutation.Warns("attach_read_only_published", "CP-14"),
		},
		"NOT_FOUND for a volume that is not attached": {
			mutation.Fails("detach_again", "CU-05"),
			mutation.Fails("detach_never_attached detach_other_node", "CU-06"),
		},
		"unpublishes from all nodes whichever is named": {
			mutation.Fails("detach_other_node detach_out_of_reach detach_unknown_node", "CU-10"),
			mutation.Fails("detach_one_of_two", "CU-10"),
			mutation.Warns("attach_single_writer", "CP-11"),
		},
		"unpublishes from all nodes whichever is named, and claims to list none": {
			mutation.Fails("detach_other_node detach_out_of_reach detach_unknown_node", "CU-10"),
			mutation.Fails("detach_one_of_two", "CU-10"),
			mutation.Warns("attach_single_writer", "CP-11"),
		},
		"unpublishes from all nodes whichever is named, and lists none": {
			mutation.Fails("detach_other_node detach_out_of_reach detach_unknown_node", "CU-10"),
			mutation.Fails("detach_one_of_two", "CU-10"),
			mutation.Warns("attach_single_writer", "CP-11"),
			mutation.Warns("attach_every_node", "CP-02"),
		},
		"unpublishes from the node that is named only": {
			mutation.Fails("detach_from_all", "CU-11"),
		},
		"unpublishes from one node where it should from all": {
			mutation.Fails("detach_from_all", "CU-11"),
		},
		"unpublishes from the first of several nodes only": {
			mutation.Fails("detach_second_of_two", "CU-10"),
		},
		"lists every node that a volume ever was on": {
			mutation.Warns("detach_from_all detach_second_of_two", "LV-07"),
		},
		"keeps a volume from other nodes": {
			mutation.Fails("detach_then_other_node", "CU-10"),
		},
		"INTERNAL for an unknown volume or node": {
			mutation.Fails("detach_unknown_volume", "CU-17"),
			mutation.Fails("detach_unknown_node", "CU-18"),
		},
		"deletes a published volume": {
			mutation.Passes("detach_other_node detach_one_of_two detach_unknown_node"),
		},
		"deletes a published volume, and claims to list no nodes": {
			mutation.Skips("detach_other_node detach_one_of_two detach_second_of_two detach_unknown_node", suite.ByCapability),
		},
	}
}

// wide are the faults that show in cases besides those named above.
func wide() []string {
	return []string{"creates volumes in Z3 only", "takes its own node for the only one", "needs secrets to publish", "unpublishes from the first of several nodes only"}
}

// Drivers are the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := maps.Clone(lacks())
	all := maps.Clone(faults())
	maps.Copy(all, detachFaults())
	maps.Copy(wanted, unavailableElsewhere())
	maps.Copy(wanted, mutation.Wrong(all, catches(), func(name string) bool { return slices.Contains(wide(), name) }))
	return mutation.Serially(wanted)
}
