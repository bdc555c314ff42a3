// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/timeouts"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

func TestPoll(t *testing.T) {
	differs := &predicate.Mismatch{Subject: "zone", Wanted: "Z2", Found: "Z3"}
	forGood := &predicate.Mismatch{Subject: "zone", Wanted: "Z2", Found: "Z3", Final: true}
	notYet := errors.New("not yet")
	tests := []struct {
		name string
		// sees are the results of the observations; the last one is repeated.
		sees  []error
		looks int // 0 for as many as fit
		want  error
	}{
		{"satisfied at once", []error{nil}, 1, nil},
		{"satisfied in the end", []error{notYet, differs, nil}, 3, nil},
		{"a final answer ends it", []error{notYet, forGood, nil}, 2, forGood},
		{"the last answer counts at the limit", []error{differs, notYet}, 0, notYet},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &Scenario{Target: &Target{Timeouts: timeouts.Limits{Poll: time.Millisecond}}}
			looks := 0
			err := s.Within(t.Context(), 200*time.Millisecond, func(context.Context) error {
				looks++
				return test.sees[min(looks, len(test.sees))-1]
			})
			if !errors.Is(err, test.want) {
				t.Errorf("poll returned %v, wanted %v", err, test.want)
			}
			if test.looks > 0 && looks != test.looks {
				t.Errorf("%d looks, wanted %d", looks, test.looks)
			}
		})
	}
}

func TestPollKeepsWhatWasSeenBeforeTheLimit(t *testing.T) {
	s := &Scenario{Target: &Target{Timeouts: timeouts.Limits{Poll: time.Millisecond}}}
	differs := &predicate.Mismatch{Subject: "zone", Wanted: "Z2", Found: "Z3"}
	looked := false
	err := s.Within(t.Context(), 50*time.Millisecond, func(ctx context.Context) error {
		if !looked {
			looked = true
			return differs
		}
		<-ctx.Done() // like a read from the API server that the limit cuts short
		return ctx.Err()
	})
	if !errors.Is(err, differs) {
		t.Errorf("poll returned %v, wanted what it saw before: %v", err, differs)
	}
}
