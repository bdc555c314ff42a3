// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestAloneAndApart(t *testing.T) {
	pools := []map[string]string{{"pool": "a"}}
	for _, c := range []struct {
		name     string
		needs    []harness.Need
		parallel int
		pools    []map[string]string
		alone    bool
		leased   bool
	}{
		{"what counts nothing", Zones(2), 2, nil, false, false},
		{"what counts room", Room(), 2, nil, true, false},
		{"what counts room, with a pool for it", Room(), 2, pools, false, true},
		{"what counts room, in a run of one after another", Room(), 1, pools, false, false},
		{"what fills zones, with a pool for it", Exhaustion(), 2, pools, false, true},
		{"what fills zones and disturbs others", All(Exhaustion(), Alone()), 2, pools, true, false},
		{"what restarts the driver", DriverRestart(), 2, pools, true, false},
	} {
		target := &harness.Target{Parallel: c.parallel, Pools: c.pools, AccessibleFrom: func(int) map[string]string { return nil }}
		tier, runner := harness.New(target), &suite.Runner[*harness.Scenario]{}
		tier.Set(runner)
		given := harness.Case{Needs: c.needs}
		if got := runner.Alone(given); got != c.alone {
			t.Errorf("%s: alone is %t, want %t", c.name, got, c.alone)
		}
		if got := tier.Open(t.Context(), given).AccessibleFrom(1); (got != nil) != c.leased {
			t.Errorf("%s: has the pool %v, want one: %t", c.name, got, c.leased)
		}
	}
}
