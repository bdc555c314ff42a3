package spec_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// caught is what the suite says of a fault: cases, space separated, with one verdict, whose message has some text.
type caught struct {
	verdict verdict.Verdict
	cases   string
	because string
}

// catches has every fault, and which cases must catch it for which reason. Other cases may fail as well, for a fault that
// shows everywhere, but none may end as an error.
var catches = map[string][]caught{
	"ignores requisite: always the first segment": {
		{verdict.Fail, "T-EQ-2F T-GT-1F T-BAD-3", "the volume is accessible from at least one requisite topology (TR-04)"},
		{verdict.Fail, "T-PF-1a T-PF-2a T-PF-3a T-PO-1", "a better one was possible (PF-03)"},
		{verdict.Fail, "T-ID-2", "is incompatible with accessibility_requirements (CVE-06)"},
	},
	"ignores preferred": {
		{verdict.Fail, "T-PF-1a T-PF-2a T-PF-3a T-PO-1", "a better one was possible (PF-03)"},
	},
	"ignores the order of preferred": {
		{verdict.Fail, "T-PF-2a T-PO-1", "a better one was possible (PF-03)"},
	},
	"uses preferred that is not in requisite": {
		{verdict.Fail, "T-BAD-1", "the volume is accessible from at least one requisite topology (TR-04)"},
	},
	"never falls back from preferred": {
		{verdict.Warning, "T-PF-1b T-PF-2c T-PF-3b T-PF-3c T-PF-3d", "users will regret a driver that does not (PF-05)"},
		{verdict.Warning, "T-PO-2", "users will regret a driver that does not (PF-06)"},
	},
	"places outside requisite when it is full": {
		{verdict.Fail, "T-EQ-1F T-LT-1F T-ID-3", "the volume is accessible from at least one requisite topology (TR-04)"},
		{verdict.Fail, "T-EQ-2F", "x = n: the volume is available in all requisite topologies"},
		{verdict.Fail, "T-LT-2F", "x < n: the x topologies are chosen from requisite (TR-11)"},
	},
	"x < n: answers with all n": {
		{verdict.Fail, "T-LT-1 T-PF-1a", "x = 1 topologies, not from 2 (TR-11)"},
		{verdict.Fail, "T-LT-2", "x = 2 topologies, not from 3 (TR-11)"},
		{verdict.Fail, "T-ID-1", "it is the answer (CV-03)"},
	},
	"x > n: answers with n only": {
		{verdict.Fail, "T-GT-1", "x > n: the volume is accessible from x = 2 topologies, not from 1 (TR-16)"},
	},
	"answers with the same segment twice": {
		{verdict.Fail, "T-EQ-2 T-LT-2 T-GT-1 T-PF-3a", "the topologies are x unique ones (TR-11)"},
	},
	"answers without accessible_topology": {
		{verdict.Fail, "T-EQ-1 T-LT-1 T-NR", "its answer lists them (TR-06)"},
	},
	"adds a key that no node reports": {
		{verdict.Fail, "T-EQ-1 T-LT-1 T-NR", "no node reports it (TR-16)"},
	},
	"answers with a key in another letter case": {
		{verdict.Fail, "T-EQ-1 T-LT-1 T-NR", "no node reports it (TR-16)"},
	},
	"takes an empty requirement for an internal error": {
		{verdict.Fail, "T-BAD-2", "INTERNAL"},
	},
	"INTERNAL when full":          whenFullSays("got: INTERNAL"),
	"DEADLINE_EXCEEDED when full": whenFullSays("got: DEADLINE_EXCEEDED"),
	"no message when full":        whenFullSays("no message that a human could read (GEN-15)"),
	"status details when full":    whenFullSays("must be empty (GEN-16)"),
	"a failed call leaves space taken": {
		{verdict.Fail, "T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3", "should be a failure that leaves nothing behind"},
	},
	"never answers without a requirement": {
		{verdict.Error, "T-NR", "CreateVolume did not answer within 5s"},
	},
	"a failed call keeps its name": {
		{verdict.Fail, "T-ID-3", "got: ALREADY_EXISTS"},
	},
	"a repeated name answers with another segment": {
		{verdict.Fail, "T-ID-1", "it is the answer (CV-03)"},
	},
	"a repeated name answers with another volume_id": {
		{verdict.Fail, "T-ID-1", "should be the same volume_id"},
	},
	"a repeated name answers whatever is asked": {
		{verdict.Fail, "T-ID-2", "is incompatible with accessibility_requirements (CVE-06)"},
	},
	"says that a volume is deleted, and keeps it": {
		{verdict.Fail, "T-EQ-1 T-LT-1F T-GT-1 T-NR T-ID-3", "the case leaked"},
	},
}

// narrow are the faults that show in no other cases than those named above.
var narrow = []string{
	"uses preferred that is not in requisite",
	"never falls back from preferred",
	"x > n: answers with n only",
	"takes an empty requirement for an internal error",
	"INTERNAL when full",
	"DEADLINE_EXCEEDED when full",
	"no message when full",
	"status details when full",
	"a failed call leaves space taken",
	"never answers without a requirement",
	"a failed call keeps its name",
	"a repeated name answers with another segment",
	"a repeated name answers with another volume_id",
	"a repeated name answers whatever is asked",
}

func whenFullSays(because string) []caught {
	return []caught{{verdict.Fail, "T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-2d T-PF-3e T-ID-3", because}}
}

func TestTheSuiteCatches(t *testing.T) {
	if unexpected := slices.Sorted(maps.Keys(faults)); !slices.Equal(unexpected, slices.Sorted(maps.Keys(catches))) {
		t.Fatalf("the faults are %q, want one expectation for each", unexpected)
	}
	for fault, wanted := range catches {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			found := map[string]report.Case{}
			for _, c := range runSuite(t, fault).Cases {
				found[c.ID] = c
			}
			for _, want := range wanted {
				for _, id := range strings.Fields(want.cases) {
					got := found[id]
					if got.Verdict != want.verdict || !strings.Contains(got.Message, want.because) {
						t.Errorf("case %s: %s %s\n%s\nwant %s with %q", id, got.Verdict, got.Reason, got.Message, want.verdict, want.because)
					}
					delete(found, id)
				}
			}
			for _, other := range found {
				if other.Verdict == verdict.Error {
					t.Errorf("case %s ended as an error: %s %s", other.ID, other.Reason, other.Message)
				}
				if other.Verdict != verdict.Pass && slices.Contains(narrow, fault) {
					t.Errorf("case %s should not see the fault: %s\n%s", other.ID, other.Verdict, other.Message)
				}
			}
		})
	}
}
