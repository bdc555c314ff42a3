// SPDX-License-Identifier: Apache-2.0

// Package placement has drivers that put volumes where they may not be, and right ones that lack something.
package placement

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// catches has every fault, and which cases must catch it for which reason. Other cases may fail as well, for a fault that
// shows everywhere, but none may end as an error.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"ignores requisite: always the first segment": {
			mutation.Fails("T-EQ-2F T-GT-1F T-BAD-3 requisite_unknown_beside_known requisite_unknown_key requisite_key_in_other_case "+
				"requisite_value_in_other_case requisite_key_twice requisite_empty_value requisite_long_value", "TR-04"),
			mutation.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1", "PF-03"),
			mutation.Fails("T-ID-2", "CREATE-06"),
		},
		"ignores preferred": {
			mutation.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1 preferred_rotated", "PF-03"),
		},
		"ignores the order of preferred": {
			mutation.Fails("T-PF-2a T-PO-1 preferred_rotated", "PF-03"),
		},
		"uses preferred that is not in requisite": {
			mutation.Fails("T-BAD-1 preferred_outside_full_requisite", "TR-04"),
		},
		"never falls back from preferred": {
			mutation.Warns("T-PF-1b T-PF-2c T-PF-3b T-PF-3c T-PF-3d", "PF-05"),
			mutation.Warns("T-PO-2", "PF-06"),
		},
		"places outside requisite when it is full": {
			mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3", "TR-04"),
		},
		"x < n: answers with all n": {
			mutation.Fails("T-LT-1 T-PF-1a", "TR-11"),
			mutation.Fails("T-LT-2", "TR-11"),
			mutation.Fails("T-ID-1", "CV-03"),
		},
		"x > n: answers with n only": {
			mutation.Fails("T-GT-1 T-GT-1F", "TR-17"),
			mutation.Fails("name_repeated_with_one_of_two", "CV-03"),
		},
		"x > n: refuses": {
			mutation.Warns("T-GT-1 T-GT-1F", "TR-16"),
			mutation.Fails("name_repeated_with_one_of_two", "CV-03"),
		},
		"answers with the same segment twice": {
			mutation.Fails("T-EQ-2 T-LT-2 T-GT-1 T-PF-3a", "TR-11"),
		},
		"answers without accessible_topology": {
			mutation.Warns("T-EQ-1 T-LT-1 T-NR", "VOL-17"),
			mutation.Skips("topology_listed topology_got", suite.ByCapability),
		},
		"adds a key that no node reports": {
			mutation.Fails("T-EQ-1 T-LT-1", "TR-04"),
			mutation.Warns("T-NR", "TR-16"),
		},
		"answers with a key in another letter case": {
			mutation.Fails("T-EQ-1 T-LT-1 T-NR", "TO-08"),
		},
		"takes an empty requirement for an internal error": {
			mutation.Fails("T-BAD-2 name_repeated_with_empty_requirement", "GEN-12"),
		},
		"INTERNAL when full": wrongCodeWhenFull(),
		"makes volumes up when full": {
			mutation.Fails("at_once_last_room", "TR-08"),
		},
		"makes volumes up when all of several topologies are full": {
			mutation.Fails("T-EQ-2F", "TR-08"),
			mutation.Fails("T-LT-1F T-LT-2F", "TR-12"),
			mutation.Fails("T-PF-2d T-PF-3e", "PF-07"),
		},
		"no message when full":     caughtWhenFull("GEN-15"),
		"status details when full": caughtWhenFull("GEN-16"),
		"a failed call leaves space taken": {
			mutation.Warns("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3 requisite_unknown_needed", "CV-07"),
		},
		"never answers without a requirement": {
			mutation.Fails("T-NR", "GEN-08"),
		},
		"a failed call keeps its name": {
			mutation.Fails("T-ID-3", "TR-07"),
			mutation.Fails("at_once_last_room", "CREATE-08"),
		},
		"a repeated name answers with another segment": {
			mutation.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full", "CV-03"),
		},
		"a repeated name answers with another volume_id": {
			mutation.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full name_repeated_without_requirement", "CV-02"),
		},
		"a repeated name returns its volume, whatever the request": {
			mutation.Fails("T-ID-2", "CREATE-06"),
			mutation.Fails("at_once_two_zones", "TR-04"),
			mutation.Warns("name_repeated_for_other_pair", "CV-03"),
		},
		"says that a volume is deleted, and keeps it": {
			mutation.Warns("T-EQ-1 T-LT-1F T-GT-1 T-NR T-ID-3", "CV-07"),
		},
	}
}

// narrow are the faults that show in no other cases than those named above.
func narrow() []string {
	return []string{
		"uses preferred that is not in requisite",
		"never falls back from preferred",
		"x > n: answers with n only",
		"takes an empty requirement for an internal error",
		"a failed call keeps its name",
		"a repeated name returns its volume, whatever the request",
	}
}

// caughtWhenFull says that every case in which nothing can be provisioned fails by the clause.
func caughtWhenFull(clause string) []mutation.Case {
	return []mutation.Case{mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3 "+
		"requisite_unknown_needed at_once_last_room", clause)}
}

// wrongCodeWhenFull are the cases that fail for a code that is not the condition's, with their clauses.
func wrongCodeWhenFull() []mutation.Case {
	return []mutation.Case{
		mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3", "CREATE-02 CREATE-08"),
		mutation.Fails("requisite_unknown_needed", "GEN-12"),
		mutation.Fails("at_once_last_room", "CREATE-08"),
	}
}

// Drivers are the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := map[string]mutation.Expectation{}
	for _, expectations := range []map[string]mutation.Expectation{lacks(), few(), wrongLists(), wrongNames(), wrongAnswers(), transient()} {
		maps.Copy(wanted, expectations)
	}
	for name, expectation := range wrongTerms() {
		expectation.Wide = true
		wanted[name] = expectation
	}
	maps.Copy(wanted, mutation.Wrong(faults(), catches(), func(name string) bool { return !slices.Contains(narrow(), name) }))
	return wanted
}
