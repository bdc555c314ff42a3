// SPDX-License-Identifier: Apache-2.0

// Package capacity has drivers that report capacity wrongly, and right ones that lack something.
package capacity

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// catches has every fault, and which cases must catch it for which reason.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"does not implement what it claims": {
			mutation.Fails("capacity_answers", "CAP-01"),
			mutation.Warns("capacity_of_everything", "CAP-03 CAP-05 CAP-09"),
			mutation.Errs("capacity_never_negative capacity_for_capabilities capacity_for_each_kind"),
			mutation.Errs("capacity_with_sidecar_parameters capacity_minimum_is_told capacity_minimum_can_be_had capacity_less_than_minimum"),
			mutation.Errs("capacity_maximum_can_be_had capacity_more_than_maximum capacity_maximum_of_little_room"),
			mutation.Errs(exact + " capacity_after_growth_to_the_limit"),
		},
		"refuses to be asked for nothing in particular": {
			mutation.Warns("capacity_of_everything", "CAP-03 CAP-05 CAP-09"),
			mutation.Warns("capacity_without_topology", "CAP-09"),
		},
		"ignores accessible_topology": {
			mutation.Fails("capacity_falls_in_its_segment", "CAP-07"),
			mutation.Fails("capacity_falls_in_both_segments", "CAP-07"),
			mutation.Fails("capacity_of_unknown_segment", "CAP-07"),
		},
		"ignores parameters": {
			mutation.Fails("capacity_for_two_segments_needs_both", "CAP-04"),
			mutation.Warns("capacity_for_refused_parameters", "CAP-04"),
		},
		"ignores volume_capabilities": {
			mutation.Warns("capacity_for_unsupported_capabilities", "CAP-02"),
		},
		"looks at one capability only": {
			mutation.Warns("capacity_for_unsupported_capabilities", "CAP-02"),
		},
		"NOT_FOUND for a topology that it does not have": {
			mutation.Fails("capacity_of_unknown_segment", "GEN-12"),
		},
		"refuses what external-provisioner leaves in parameters": {
			mutation.Warns("capacity_with_sidecar_parameters", "CAP-04"),
		},
		"returns 0 without a topology": {
			mutation.Warns("capacity_without_topology", "CAP-09"),
		},
		"returns 0 for any capabilities": {
			mutation.Fails("capacity_for_capabilities", "CAP-02"),
		},
		"returns 0 for two zones": {
			mutation.Fails("capacity_for_each_kind", "CAP-04"),
		},
		"returns the room of one zone as the maximum for two": {
			mutation.Fails("capacity_for_two_segments_needs_both", "CAP-14"),
		},
		"returns negative sizes for two zones": {
			mutation.Fails("capacity_never_negative", "CAP-17 CAP-23"),
		},
		"returns a little more each time": {
			mutation.Fails("capacity_asked_again", "CAP-12"),
		},
		"reports total instead of available": {
			mutation.Fails("capacity_falls_by_volume", "CAP-12"),
			mutation.Passes("capacity_falls_in_its_segment"),
			mutation.Warns("capacity_of_full_segment", "CAP-18"),
		},
		"an error instead of zero": {
			mutation.Fails("capacity_of_full_segment", "CAP-12"),
			mutation.Fails("capacity_after_growth_to_the_limit", "CAP-12"),
			mutation.Fails("capacity_for_two_segments_needs_both", "CAP-12"),
		},
		"its maximum stays when it is full": {
			mutation.Warns("capacity_of_full_segment capacity_maximum_of_little_room", "CAP-14"),
		},
		"its maximum is a byte too large": {
			mutation.Fails("capacity_maximum_can_be_had", "CAP-14"),
			mutation.Fails("capacity_maximum_of_little_room", "CAP-14"),
		},
		"its maximum is a byte too small": {
			mutation.Fails("capacity_more_than_maximum capacity_maximum_of_little_room", "CAP-14"),
		},
		"does not tell its maximum": {
			mutation.Warns("capacity_maximum_can_be_had", "CAP-18"),
			mutation.Skips("capacity_more_than_maximum capacity_maximum_of_little_room", suite.ByCapability),
		},
		"does not tell its minimum": {
			mutation.Warns("capacity_minimum_is_told", "CAP-24"),
			mutation.Skips("capacity_minimum_can_be_had capacity_less_than_minimum", suite.ByCapability),
		},
		"returns a minimum of 0": {
			mutation.Warns("capacity_minimum_is_told", "CAP-24"),
		},
		"returns too small a minimum": {
			mutation.Fails("capacity_minimum_can_be_had", "CAP-20"),
		},
		"returns too large a minimum": {
			mutation.Fails("capacity_less_than_minimum", "CAP-20"),
		},
		"INVALID_ARGUMENT instead of OUT_OF_RANGE": {
			mutation.Fails("capacity_more_than_maximum", "CREATE-11"),
			mutation.Fails("capacity_less_than_minimum", "CREATE-11"),
		},
		"capacity never changes": {
			mutation.Fails("capacity_falls_by_volume", "CAP-12"),
			mutation.Passes("capacity_falls_in_its_segment"),
			mutation.Fails("capacity_falls_in_both_segments", "CAP-07"),
		},
		"capacity does not return": {
			mutation.Fails("capacity_returns_with_deletion", "CAP-12"),
		},
		"capacity returns elsewhere": {
			mutation.Fails("capacity_returns_with_deletion", "CAP-12"),
		},
		"capacity returns twice": {
			mutation.Fails("capacity_counts_repeats_once", "CAP-12"),
		},
		"counts a volume of two segments in one": {
			mutation.Fails("capacity_falls_in_both_segments", "CAP-07"),
		},
		"counts every call of a name": {
			mutation.Fails("capacity_counts_repeats_once", "CAP-12"),
		},
		"counts refused volumes": {
			mutation.Warns("capacity_more_than_maximum", "CV-07"),
		},
		"goes negative after growth": {
			mutation.Fails("capacity_after_growth_to_the_limit", "CAP-13"),
		},
	}
}

// narrow are the faults that show in no other cases than those named above.
func narrow() []string {
	return []string{
		"refuses to be asked for nothing in particular",
		"ignores parameters",
		"ignores volume_capabilities",
		"looks at one capability only",
		"NOT_FOUND for a topology that it does not have",
		"refuses what external-provisioner leaves in parameters",
		"returns 0 without a topology",
		"returns 0 for any capabilities",
		"its maximum is a byte too large",
		"its maximum is a byte too small",
		"does not tell its maximum",
		"does not tell its minimum",
		"returns a minimum of 0",
		"returns too small a minimum",
		"returns too large a minimum",
		"INVALID_ARGUMENT instead of OUT_OF_RANGE",
		"counts a volume of two segments in one",
		"counts every call of a name",
	}
}

// Drivers are the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := maps.Clone(lacks())
	maps.Copy(wanted, mutation.Wrong(faults(), catches(), func(name string) bool { return !slices.Contains(narrow(), name) }))
	return mutation.Serially(wanted)
}
