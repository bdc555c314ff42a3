// SPDX-License-Identifier: Apache-2.0

package capacity_test

import (
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"does not implement what it claims": {
		spectest.Fails("capacity_answers", "CAP-01"),
		spectest.Warns("capacity_of_everything", "CAP-03 CAP-05 CAP-09"),
		spectest.Errs("capacity_never_negative capacity_for_capabilities capacity_for_each_kind"),
		spectest.Errs("capacity_with_sidecar_parameters capacity_minimum_is_told capacity_minimum_can_be_had capacity_less_than_minimum"),
		spectest.Errs("capacity_maximum_can_be_had capacity_more_than_maximum capacity_maximum_of_little_room"),
		spectest.Errs(exact + " capacity_after_growth_to_the_limit"),
	},
	"refuses to be asked for nothing in particular": {
		spectest.Warns("capacity_of_everything", "CAP-03 CAP-05 CAP-09"),
		spectest.Warns("capacity_without_topology", "CAP-09"),
	},
	"ignores accessible_topology": {
		spectest.Fails("capacity_falls_in_its_segment", "CAP-07"),
		spectest.Fails("capacity_falls_in_both_segments", "CAP-07"),
		spectest.Fails("capacity_of_unknown_segment", "CAP-07"),
	},
	"ignores parameters": {
		spectest.Fails("capacity_for_two_segments_needs_both", "CAP-04"),
		spectest.Warns("capacity_for_refused_parameters", "CAP-04"),
	},
	"ignores volume_capabilities": {
		spectest.Warns("capacity_for_unsupported_capabilities", "CAP-02"),
	},
	"looks at one capability only": {
		spectest.Warns("capacity_for_unsupported_capabilities", "CAP-02"),
	},
	"NOT_FOUND for a topology that it does not have": {
		spectest.Fails("capacity_of_unknown_segment", "GEN-12"),
	},
	"refuses what external-provisioner leaves in parameters": {
		spectest.Warns("capacity_with_sidecar_parameters", "CAP-04"),
	},
	"returns 0 without a topology": {
		spectest.Warns("capacity_without_topology", "CAP-09"),
	},
	"returns 0 for any capabilities": {
		spectest.Fails("capacity_for_capabilities", "CAP-02"),
	},
	"returns 0 for two zones": {
		spectest.Fails("capacity_for_each_kind", "CAP-04"),
	},
	"returns negative sizes for two zones": {
		spectest.Fails("capacity_never_negative", "CAP-17 CAP-23"),
	},
	"returns a little more each time": {
		spectest.Fails("capacity_asked_again", "CAP-12"),
	},
	"reports total instead of available": {
		spectest.Fails("capacity_falls_by_volume", "CAP-12"),
		spectest.Passes("capacity_falls_in_its_segment"),
		spectest.Warns("capacity_of_full_segment", "CAP-18"),
	},
	"an error instead of zero": {
		spectest.Fails("capacity_of_full_segment", "CAP-12"),
		spectest.Fails("capacity_after_growth_to_the_limit", "CAP-12"),
		spectest.Fails("capacity_for_two_segments_needs_both", "CAP-12"),
	},
	"its maximum stays when it is full": {
		spectest.Warns("capacity_of_full_segment capacity_maximum_of_little_room", "CAP-14"),
	},
	"its maximum is a byte too large": {
		spectest.Fails("capacity_maximum_can_be_had", "CAP-14"),
		spectest.Fails("capacity_maximum_of_little_room", "CAP-14"),
	},
	"its maximum is a byte too small": {
		spectest.Fails("capacity_more_than_maximum capacity_maximum_of_little_room", "CAP-14"),
	},
	"does not tell its maximum": {
		spectest.Warns("capacity_maximum_can_be_had", "CAP-18"),
		spectest.Skips("capacity_more_than_maximum capacity_maximum_of_little_room", verdict.ByCapability),
	},
	"does not tell its minimum": {
		spectest.Warns("capacity_minimum_is_told", "CAP-24"),
		spectest.Skips("capacity_minimum_can_be_had capacity_less_than_minimum", verdict.ByCapability),
	},
	"returns a minimum of 0": {
		spectest.Warns("capacity_minimum_is_told", "CAP-24"),
	},
	"returns too small a minimum": {
		spectest.Fails("capacity_minimum_can_be_had", "CAP-20"),
	},
	"returns too large a minimum": {
		spectest.Fails("capacity_less_than_minimum", "CAP-20"),
	},
	"INVALID_ARGUMENT instead of OUT_OF_RANGE": {
		spectest.Fails("capacity_more_than_maximum", "CREATE-11"),
		spectest.Fails("capacity_less_than_minimum", "CREATE-11"),
	},
	"capacity never changes": {
		spectest.Fails("capacity_falls_by_volume", "CAP-12"),
		spectest.Passes("capacity_falls_in_its_segment"),
		spectest.Fails("capacity_falls_in_both_segments", "CAP-07"),
	},
	"capacity does not return": {
		spectest.Fails("capacity_returns_with_deletion", "CAP-12"),
	},
	"capacity returns elsewhere": {
		spectest.Fails("capacity_returns_with_deletion", "CAP-12"),
	},
	"capacity returns twice": {
		spectest.Fails("capacity_counts_repeats_once", "CAP-12"),
	},
	"counts a volume of two segments in one": {
		spectest.Fails("capacity_falls_in_both_segments", "CAP-07"),
	},
	"counts every call of a name": {
		spectest.Fails("capacity_counts_repeats_once", "CAP-12"),
	},
	"counts refused volumes": {
		spectest.Warns("capacity_more_than_maximum", "CV-07"),
	},
	"goes negative after growth": {
		spectest.Fails("capacity_after_growth_to_the_limit", "CAP-13"),
	},
}

// narrow are the faults that show in no other cases than those named above.
var narrow = []string{
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

func TestMain(m *testing.M) {
	all := spectest.Drivers(drivers())
	all[neverSettles] = spectest.Driver{
		Fault:  faults[neverChanges],
		Target: func(t *harness.Target) { t.Timeouts.Settle = time.Second },
		Focus:  "capacity_(falls|returns|counts)",
	}
	os.Exit(spectest.Main(m, capacity.Areas, all))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return !slices.Contains(narrow, name) }))
	return spectest.Serially(wanted)
}
