package capacity_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"does not implement what it claims": {
		spectest.Fails("capacity_answers", "it is implemented (CAP-01), and 0 would be an answer (CAP-12)"),
		spectest.Errs("capacity_never_negative capacity_without_topology capacity_for_capabilities capacity_for_each_kind",
			"a call that the case needs failed: UNIMPLEMENTED"),
		spectest.Errs("capacity_with_sidecar_parameters capacity_minimum_is_told capacity_minimum_can_be_had capacity_less_than_minimum", "UNIMPLEMENTED"),
		spectest.Errs("capacity_maximum_can_be_had capacity_more_than_maximum capacity_maximum_of_little_room", "UNIMPLEMENTED"),
		spectest.Errs(exact+" capacity_after_growth_to_the_limit", "UNIMPLEMENTED"),
	},
	"refuses to be asked for nothing in particular": {
		spectest.Fails("capacity_of_everything", "accessible_topology (CAP-09) are OPTIONAL"),
		spectest.Errs("capacity_without_topology", "a call that the case needs failed: INVALID_ARGUMENT"),
	},
	"ignores accessible_topology": {
		spectest.Fails("capacity_falls_in_its_segment", "and nowhere else (CAP-07)"),
		spectest.Fails("capacity_falls_in_both_segments", "(CAP-07)"),
		spectest.Fails("capacity_of_unknown_segment", "which no node reports (CAP-07)"),
	},
	"ignores parameters": {
		spectest.Fails("capacity_for_two_segments_needs_both", "a volume needs two (CAP-04)"),
		spectest.Fails("capacity_for_refused_parameters", "CreateVolume refuses these parameters (CAP-04)"),
	},
	"ignores volume_capabilities": {
		spectest.Fails("capacity_for_unsupported_capabilities", "capacity is for ALL volume_capabilities (CAP-02)"),
	},
	"looks at one capability only": {
		spectest.Fails("capacity_for_unsupported_capabilities", "capacity is for ALL volume_capabilities (CAP-02)"),
	},
	"NOT_FOUND for a topology that it does not have": {
		spectest.Fails("capacity_of_unknown_segment", "its code is NOT_FOUND, not INVALID_ARGUMENT"),
	},
	"refuses what external-provisioner leaves in parameters": {
		spectest.Warns("capacity_with_sidecar_parameters", "external-provisioner leaves csi.storage.k8s.io/fstype in the parameters of GetCapacity, which fails"),
	},
	"tells 0 without a topology": {
		spectest.Warns("capacity_without_topology", "GetCapacity without accessible_topology tells 0 bytes"),
	},
	"tells 0 for any capabilities": {
		spectest.Fails("capacity_for_capabilities", "available_capacity for the volume_capabilities of a volume that was made (CAP-02)"),
	},
	"tells 0 for two zones": {
		spectest.Fails("capacity_for_each_kind", "accessible from 2 topologies (CAP-04)"),
	},
	"tells negative sizes for two zones": {
		spectest.Fails("capacity_never_negative", "maximum_volume_size is -1, and must not be negative (CAP-17)"),
	},
	"tells a little more each time": {
		spectest.Fails("capacity_asked_again", "nothing happened between two calls"),
	},
	"reports total instead of available": {
		spectest.Fails("capacity_falls_by_volume", "available_capacity is what is left (CAP-12)"),
		spectest.Passes("capacity_falls_in_its_segment", ""),
		spectest.Fails("capacity_of_full_segment", "it is refused though"),
	},
	"an error instead of zero": {
		spectest.Fails("capacity_of_full_segment", "a full segment has a capacity, and it is 0 (CAP-12)\ngot: RESOURCE_EXHAUSTED"),
		spectest.Fails("capacity_after_growth_to_the_limit", "a full segment has a capacity of 0 (CAP-12)"),
		spectest.Fails("capacity_for_two_segments_needs_both", "there is a capacity, and it is 0 (CAP-12)"),
	},
	"its maximum stays when it is full": {
		spectest.Fails("capacity_of_full_segment", "maximum_volume_size, though no volume fits"),
		spectest.Fails("capacity_maximum_of_little_room", "a volume of that size can be made (CAP-14): RESOURCE_EXHAUSTED"),
	},
	"its maximum is a byte too large": {
		spectest.Fails("capacity_maximum_can_be_had", "a volume of that size can be made (CAP-14): OUT_OF_RANGE"),
		spectest.Fails("capacity_maximum_of_little_room", "a volume of that size can be made (CAP-14): RESOURCE_EXHAUSTED"),
	},
	"its maximum is a byte too small": {
		spectest.Fails("capacity_more_than_maximum capacity_maximum_of_little_room", "for that is the largest (CAP-14); got: OK"),
	},
	"does not tell its maximum": {
		spectest.Warns("capacity_maximum_can_be_had", "there is a maximum_volume_size, which should be told (CAP-18)"),
		spectest.Skips("capacity_more_than_maximum capacity_maximum_of_little_room", "GetCapacity tells no maximum_volume_size, which is OPTIONAL (CAP-16)"),
	},
	"does not tell its minimum": {
		spectest.Warns("capacity_minimum_is_told", "a volume of one byte is OUT_OF_RANGE: there is a minimum_volume_size, which should be told (CAP-24)"),
		spectest.Skips("capacity_minimum_can_be_had capacity_less_than_minimum", "GetCapacity tells no minimum_volume_size, which is OPTIONAL (CAP-22)"),
	},
	"tells a minimum of 0": {
		spectest.Warns("capacity_minimum_is_told", "minimum_volume_size is 0, which is no minimum: leave it unset (CAP-24)"),
	},
	"tells too small a minimum": {
		spectest.Fails("capacity_minimum_can_be_had", "a volume with these limit_bytes can be made (CAP-20)"),
	},
	"tells too large a minimum": {
		spectest.Fails("capacity_less_than_minimum", "that is OUT_OF_RANGE (CAP-20, CVE-11)\ngot: OK"),
	},
	"INVALID_ARGUMENT instead of OUT_OF_RANGE": {
		spectest.Fails("capacity_more_than_maximum", "got: INVALID_ARGUMENT"),
		spectest.Fails("capacity_less_than_minimum", "its code is INVALID_ARGUMENT, not OUT_OF_RANGE"),
	},
	"capacity never changes": {
		spectest.Fails("capacity_falls_by_volume", "available_capacity is what is left (CAP-12)"),
		spectest.Passes("capacity_falls_in_its_segment", ""),
		spectest.Fails("capacity_falls_in_both_segments", "that is accessible from"),
	},
	"capacity does not return": {
		spectest.Fails("capacity_returns_with_deletion", "there is not as much available as before it (CAP-07, CAP-12)"),
	},
	"capacity returns elsewhere": {
		spectest.Fails("capacity_returns_with_deletion", "there is not as much available as before it (CAP-07, CAP-12)"),
	},
	"capacity returns twice": {
		spectest.Fails("capacity_counts_repeats_once", "and what it had is there once more only (CAP-12)"),
	},
	"counts a volume of two segments in one": {
		spectest.Fails("capacity_falls_in_both_segments", "that is accessible from"),
	},
	"counts every call of a name": {
		spectest.Fails("capacity_counts_repeats_once", "one volume was made by two calls of one name (CAP-12)"),
	},
	"counts refused volumes": {
		spectest.Fails("capacity_more_than_maximum", "should be a failure that leaves nothing behind"),
	},
	"goes negative after growth": {
		spectest.Fails("capacity_after_growth_to_the_limit", "available_capacity is -1, and must not be negative (CAP-13)"),
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
	"tells 0 without a topology",
	"tells 0 for any capabilities",
	"its maximum is a byte too large",
	"its maximum is a byte too small",
	"does not tell its maximum",
	"does not tell its minimum",
	"tells a minimum of 0",
	"tells too small a minimum",
	"tells too large a minimum",
	"INVALID_ARGUMENT instead of OUT_OF_RANGE",
	"counts a volume of two segments in one",
	"counts every call of a name",
}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, capacity.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return !slices.Contains(narrow, name) }))
	return wanted
}
