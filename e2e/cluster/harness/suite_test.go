// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"testing"
)

func TestSideBySide(t *testing.T) {
	pools := []map[string]string{{"pool": "a"}}
	for _, c := range []struct {
		name     string
		needs    []Need
		parallel int
		pools    []map[string]string
		want     bool
	}{
		{"what counts nothing", Zones(2), 2, nil, true},
		{"what counts nothing, in a run of one after another", Zones(2), 1, nil, false},
		{"what counts room", Room(), 2, nil, false},
		{"what counts room, with a pool for it", Room(), 2, pools, true},
		{"what fills zones, with a pool for it", Exhaustion(), 2, pools, true},
		{"what fills zones and disturbs others", Needs(Exhaustion(), Alone()), 2, pools, false},
		{"what restarts the driver", DriverRestart(), 2, pools, false},
	} {
		suite := New(&Target{Parallel: c.parallel, Pools: c.pools})
		if got := suite.sideBySide(Case{Needs: c.needs}); got != c.want {
			t.Errorf("%s: side by side is %t, want %t", c.name, got, c.want)
		}
	}
}

func TestLease(t *testing.T) {
	suite := New(&Target{Parallel: 2, Pools: []map[string]string{{"pool": "a"}, {"pool": "b"}}})
	counts := Case{Needs: Room()}
	first, giveBack := suite.lease(t.Context(), counts)
	second, _ := suite.lease(t.Context(), counts)
	if first["pool"] == "" || second["pool"] == "" || first["pool"] == second["pool"] {
		t.Fatalf("two cases at once have the pools %v and %v", first, second)
	}
	if none, _ := suite.lease(t.Context(), Case{}); none != nil {
		t.Errorf("a case that counts nothing has pool %v", none)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if none, _ := suite.lease(ended, counts); none != nil {
		t.Errorf("a third case has pool %v, although none is free", none)
	}
	giveBack()
	if again, _ := suite.lease(t.Context(), counts); again["pool"] != first["pool"] {
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
