// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"testing"
)

func TestLease(t *testing.T) {
	tier := New(&Target{Parallel: 2, Pools: []map[string]string{{"pool": "a"}, {"pool": "b"}}})
	first, giveBack := tier.lease(t.Context())
	second, _ := tier.lease(t.Context())
	if first["pool"] == "" || second["pool"] == "" || first["pool"] == second["pool"] {
		t.Fatalf("two cases at once have the pools %v and %v", first, second)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if none, _ := tier.lease(ended); none != nil {
		t.Errorf("a third case has pool %v, although none is free", none)
	}
	giveBack()
	if again, _ := tier.lease(t.Context()); again["pool"] != first["pool"] {
		t.Errorf("the next case has pool %v, want %v, which was given back", again, first)
	}
}

func TestAccessibleFromThePool(t *testing.T) {
	s := &Scenario{Target: &Target{AccessibleFrom: func(x int) map[string]string {
		if x == 1 {
			return nil
		}
		return map[string]string{"zones": "2"}
	}}}
	if got := s.AccessibleFrom(1); len(got) > 0 {
		t.Errorf("without a pool: %v", got)
	}
	s.pool = map[string]string{"pool": "a"}
	if one, two := s.AccessibleFrom(1), s.AccessibleFrom(2); len(one) != 1 || len(two) != 2 || two["pool"] != "a" {
		t.Errorf("with a pool: %v for one topology, %v for two", one, two)
	}
}
