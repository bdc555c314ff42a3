// SPDX-License-Identifier: Apache-2.0

package placement_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// catches has every fault, and which cases must catch it for which reason. Other cases may fail as well, for a fault that
// shows everywhere, but none may end as an error.
var catches = map[string][]spectest.Case{
	"ignores requisite: always the first segment": {
		spectest.Fails("T-EQ-2F T-GT-1F T-BAD-3 requisite_unknown_beside_known requisite_unknown_key requisite_key_in_other_case "+
			"requisite_value_in_other_case requisite_key_twice requisite_empty_value requisite_long_value", "TR-04"),
		spectest.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1", "PF-03"),
		spectest.Fails("T-ID-2", "CREATE-06"),
	},
	"ignores preferred": {
		spectest.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1 preferred_rotated", "PF-03"),
	},
	"ignores the order of preferred": {
		spectest.Fails("T-PF-2a T-PO-1 preferred_rotated", "PF-03"),
	},
	"uses preferred that is not in requisite": {
		spectest.Fails("T-BAD-1 preferred_outside_full_requisite", "TR-04"),
	},
	"never falls back from preferred": {
		spectest.Warns("T-PF-1b T-PF-2c T-PF-3b T-PF-3c T-PF-3d", "PF-05"),
		spectest.Warns("T-PO-2", "PF-06"),
	},
	"places outside requisite when it is full": {
		spectest.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3", "TR-04"),
	},
	"x < n: answers with all n": {
		spectest.Fails("T-LT-1 T-PF-1a", "TR-11"),
		spectest.Fails("T-LT-2", "TR-11"),
		spectest.Fails("T-ID-1", "CV-03"),
	},
	"x > n: answers with n only": {
		spectest.Fails("T-GT-1 T-GT-1F", "TR-17"),
		spectest.Fails("name_repeated_with_one_of_two", "CV-03"),
	},
	"x > n: refuses": {
		spectest.Warns("T-GT-1 T-GT-1F", "TR-16"),
		spectest.Fails("name_repeated_with_one_of_two", "CV-03"),
	},
	"answers with the same segment twice": {
		spectest.Fails("T-EQ-2 T-LT-2 T-GT-1 T-PF-3a", "TR-11"),
	},
	"answers without accessible_topology": {
		spectest.Warns("T-EQ-1 T-LT-1 T-NR", "VOL-17"),
		spectest.Skips("topology_listed topology_got", verdict.ByCapability),
	},
	"adds a key that no node reports": {
		spectest.Fails("T-EQ-1 T-LT-1", "TR-04"),
		spectest.Warns("T-NR", "TR-16"),
	},
	"answers with a key in another letter case": {
		spectest.Fails("T-EQ-1 T-LT-1 T-NR", "TO-08"),
	},
	"takes an empty requirement for an internal error": {
		spectest.Fails("T-BAD-2 name_repeated_with_empty_requirement", "GEN-12"),
	},
	"INTERNAL when full":       wrongCodeWhenFull(),
	"no message when full":     caughtWhenFull("GEN-15"),
	"status details when full": caughtWhenFull("GEN-16"),
	"a failed call leaves space taken": {
		spectest.Warns("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3 requisite_unknown_needed", "CV-07"),
	},
	"never answers without a requirement": {
		spectest.Fails("T-NR", "GEN-08"),
	},
	"a failed call keeps its name": {
		spectest.Fails("T-ID-3", "TR-07"),
		spectest.Fails("at_once_last_room", "CREATE-08"),
	},
	"a repeated name answers with another segment": {
		spectest.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full", "CV-03"),
	},
	"a repeated name answers with another volume_id": {
		spectest.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full name_repeated_without_requirement", "CV-02"),
	},
	"a repeated name returns its volume, whatever the request": {
		spectest.Fails("T-ID-2", "CREATE-06"),
		spectest.Fails("at_once_two_zones", "TR-04"),
		spectest.Warns("name_repeated_for_other_pair", "CV-03"),
	},
	"says that a volume is deleted, and keeps it": {
		spectest.Warns("T-EQ-1 T-LT-1F T-GT-1 T-NR T-ID-3", "CV-07"),
	},
}

// narrow are the faults that show in no other cases than those named above.
var narrow = []string{
	"uses preferred that is not in requisite",
	"never falls back from preferred",
	"x > n: answers with n only",
	"takes an empty requirement for an internal error",
	"a failed call keeps its name",
	"a repeated name returns its volume, whatever the request",
}

// caughtWhenFull says that every case in which nothing can be provisioned fails by the clause.
func caughtWhenFull(clause string) []spectest.Case {
	return []spectest.Case{spectest.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3 "+
		"requisite_unknown_needed at_once_last_room", clause)}
}

// wrongCodeWhenFull are the cases that fail for a code that is not the condition's, with their clauses.
func wrongCodeWhenFull() []spectest.Case {
	return []spectest.Case{
		spectest.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3", "CREATE-02 CREATE-08"),
		spectest.Fails("requisite_unknown_needed", "GEN-12"),
		spectest.Fails("at_once_last_room", "CREATE-08"),
	}
}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, placement.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := map[string]spectest.Expectation{}
	for _, expectations := range []map[string]spectest.Expectation{lacks, few, wrongLists, wrongNames(), wrongAnswers, transient} {
		maps.Copy(wanted, expectations)
	}
	for name, expectation := range wrongTerms {
		expectation.Wide = true
		wanted[name] = expectation
	}
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return !slices.Contains(narrow, name) }))
	return wanted
}
