// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"strings"
	"testing"
)

var (
	z2 = Segment{"region": "R1", "zone": "Z2"}
	z3 = Segment{"region": "R1", "zone": "Z3"}
	z4 = Segment{"region": "R1", "zone": "Z4"}
)

// Verdicts of predicates.
const (
	satisfied = "satisfied"
	notYet    = "not yet"
	unsaid    = "not said"
	differs   = "mismatch"
	forGood   = "final mismatch"
)

func verdictOf(err error) string {
	switch {
	case err == nil:
		return satisfied
	case IsFinal(err):
		return forGood
	case IsMismatch(err):
		return differs
	case IsUnsaid(err):
		return unsaid
	default:
		return notYet
	}
}

// wantVerdict checks a predicate's answer, and that its text contains the given phrases.
func wantVerdict(t *testing.T, err error, want string, says ...string) {
	t.Helper()
	if got := verdictOf(err); got != want {
		t.Fatalf("%s (%v), wanted %s", got, err, want)
	}
	for _, text := range says {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v does not say %q", err, text)
		}
	}
}

func TestMatches(t *testing.T) {
	labels := Segment{"region": "R1", "zone": "Z2", "hostname": "w1"}
	tests := []struct {
		name    string
		segment Segment
		want    bool
	}{
		{"every key and value", z2, true},
		{"fewer keys", Segment{"region": "R1"}, true},
		{"another value", z3, false},
		{"a key the node lacks", Segment{"region": "R1", "rack": ""}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Matches(test.segment, labels); got != test.want {
				t.Errorf("segment %s matches %s: %v, wanted %v", Canonical(test.segment), Canonical(labels), got, test.want)
			}
		})
	}
}
