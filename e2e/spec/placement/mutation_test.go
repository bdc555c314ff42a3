package placement_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec/placement"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// catches has every fault, and which cases must catch it for which reason. Other cases may fail as well, for a fault that
// shows everywhere, but none may end as an error.
var catches = map[string][]spectest.Case{
	"ignores requisite: always the first segment": {
		spectest.Fails("T-EQ-2F T-GT-1F T-BAD-3 requisite_unknown_beside_known requisite_unknown_key requisite_key_in_other_case "+
			"requisite_value_in_other_case requisite_key_twice requisite_empty_value requisite_long_value", "the volume is accessible from at least one requisite topology (TR-04)"),
		spectest.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1", "a better one was possible (PF-03)"),
		spectest.Fails("T-ID-2", "is incompatible with accessibility_requirements (CVE-06)"),
	},
	"ignores preferred": {
		spectest.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1 preferred_rotated filled_in_order_of_preference", "a better one was possible (PF-03)"),
	},
	"ignores the order of preferred": {
		spectest.Fails("T-PF-2a T-PO-1 preferred_rotated filled_in_order_of_preference", "a better one was possible (PF-03)"),
	},
	"uses preferred that is not in requisite": {
		spectest.Fails("T-BAD-1 preferred_outside_full_requisite", "the volume is accessible from at least one requisite topology (TR-04)"),
	},
	"never falls back from preferred": {
		spectest.Warns("T-PF-1b T-PF-2c T-PF-3b T-PF-3c T-PF-3d", "users will regret a driver that does not (PF-05)"),
		spectest.Warns("T-PO-2", "users will regret a driver that does not (PF-06)"),
	},
	"places outside requisite when it is full": {
		spectest.Fails("T-EQ-1F T-LT-1F T-ID-3", "the volume is accessible from at least one requisite topology (TR-04)"),
		spectest.Fails("T-EQ-2F filled_x_equal_n", "x = n: the volume is available in all requisite topologies"),
		spectest.Fails("T-LT-2F", "x < n: the x topologies are chosen from requisite (TR-11)"),
	},
	"x < n: answers with all n": {
		spectest.Fails("T-LT-1 T-PF-1a", "x = 1 topologies, not from 2 (TR-11)"),
		spectest.Fails("T-LT-2", "x = 2 topologies, not from 3 (TR-11)"),
		spectest.Fails("T-ID-1", "it is the answer (CV-03)"),
	},
	"x > n: answers with n only": {
		spectest.Fails("T-GT-1 filled_x_greater_than_n", "x > n: the volume is accessible from x = 2 topologies, not from 1 (TR-16)"),
		spectest.Fails("name_repeated_with_one_of_two", "it is the answer (CV-03)"),
	},
	"answers with the same segment twice": {
		spectest.Fails("T-EQ-2 T-LT-2 T-GT-1 T-PF-3a", "the topologies are x unique ones (TR-11)"),
	},
	"answers without accessible_topology": {
		spectest.Fails("T-EQ-1 T-LT-1 T-NR", "its answer lists them (TR-06)"),
		spectest.Skips("topology_listed topology_got", "CreateVolume answered without accessible_topology"),
	},
	"adds a key that no node reports": {
		spectest.Fails("T-EQ-1 T-LT-1 T-NR", "no node reports it (TR-16)"),
	},
	"answers with a key in another letter case": {
		spectest.Fails("T-EQ-1 T-LT-1 T-NR", "differs from the nodes' only in letter case: both must not exist (TO-08)"),
	},
	"takes an empty requirement for an internal error": {
		spectest.Fails("T-BAD-2 name_repeated_with_empty_requirement", "INTERNAL"),
	},
	"INTERNAL when full":          whenFullSays("got: INTERNAL"),
	"DEADLINE_EXCEEDED when full": whenFullSays("got: DEADLINE_EXCEEDED"),
	"no message when full":        whenFullSays("no message that a human could read (GEN-15)"),
	"status details when full":    whenFullSays("must be empty (GEN-16)"),
	"a failed call leaves space taken": {
		spectest.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3 filled_x_equal_n requisite_unknown_needed", "should be a failure that leaves nothing behind"),
	},
	"never answers without a requirement": {
		spectest.Errs("T-NR", "CreateVolume at the controller did not answer within 5s"),
	},
	"a failed call keeps its name": {
		spectest.Fails("T-ID-3", "got: ALREADY_EXISTS"),
	},
	"a repeated name answers with another segment": {
		spectest.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full", "it is the answer (CV-03)"),
	},
	"a repeated name answers with another volume_id": {
		spectest.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full name_repeated_without_requirement", "should be the same volume_id"),
	},
	"a repeated name answers whatever is asked": {
		spectest.Fails("T-ID-2 name_repeated_for_other_pair at_once_two_zones", "is incompatible with accessibility_requirements (CVE-06)"),
	},
	"says that a volume is deleted, and keeps it": {
		spectest.Fails("T-EQ-1 T-LT-1F T-GT-1 T-NR T-ID-3", "the case leaked"),
	},
}

// narrow are the faults that show in no other cases than those named above.
var narrow = []string{
	"uses preferred that is not in requisite",
	"never falls back from preferred",
	"x > n: answers with n only",
	"takes an empty requirement for an internal error",
	"INTERNAL when full",
	"a failed call keeps its name",
	"a repeated name answers whatever is asked",
}

func whenFullSays(because string) []spectest.Case {
	return []spectest.Case{spectest.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3 "+
		"filled_x_less_than_n filled_two_of_n filled_x_equal_n filled_x_greater_than_n filled_in_order_of_preference "+
		"requisite_unknown_needed at_once_last_room", because)}
}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, placement.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := map[string]spectest.Expectation{}
	for _, expectations := range []map[string]spectest.Expectation{lacks, few, wrongLists, wrongNames(), wrongAnswers} {
		maps.Copy(wanted, expectations)
	}
	for name, expectation := range wrongTerms {
		expectation.Wide = true
		wanted[name] = expectation
	}
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return !slices.Contains(narrow, name) }))
	return wanted
}
