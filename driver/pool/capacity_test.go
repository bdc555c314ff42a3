// SPDX-License-Identifier: Apache-2.0

package pool_test

import (
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

func TestCapacityOf(t *testing.T) {
	given := pool.Capacity{Pools: []pool.Pool{
		{Class: "fast", Matching: map[string]string{"x/zone": "Z2"}, Bytes: 10},
		{Class: "", Matching: map[string]string{"x/zone": "Z2", "x/region": "R1"}, Bytes: 20},
		{Class: "", Bytes: 30},
		{Class: "fast", Bytes: 40}, // also matches Z2, but another pool comes first
		{Class: "slow", Matching: map[string]string{"x/rack": "1"}, Bytes: 50},
	}}
	for _, test := range []struct {
		name    string
		class   string
		segment topology.Segment
		want    int64
	}{
		{"the first of the class that matches", "fast", topology.Segment{"x/region": "R1", "x/zone": "Z2"}, 10},
		{"a later one, where the first does not match", "fast", topology.Segment{"x/region": "R1", "x/zone": "Z3"}, 40},
		{"all keys match", "", topology.Segment{"x/region": "R1", "x/zone": "Z2"}, 20},
		{"not all keys match", "", topology.Segment{"x/region": "R2", "x/zone": "Z2"}, 30},
		{"a key in another case", "", topology.Segment{"X/Region": "R1", "x/ZONE": "Z2"}, 20},
		{"none matches", "slow", topology.Segment{"x/region": "R1", "x/zone": "Z2"}, 0},
		{"no such class", "Fast", topology.Segment{"x/region": "R1", "x/zone": "Z2"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := given.Of(test.class, test.segment); got != test.want {
				t.Errorf("{%s} has %d bytes of class %q, want %d", test.segment, got, test.class, test.want)
			}
		})
	}
	if got, want := given.Classes(), []string{"", "fast", "slow"}; !slices.Equal(got, want) {
		t.Errorf("the classes are %q, want %q", got, want)
	}
	if got := (pool.Capacity{}).Of("", z2); got != 0 {
		t.Errorf("without pools, there are %d bytes", got)
	}
	if got := pool.Uniform(7); got.Of("", z2) != 7 || got.Of("", z3) != 7 || got.Of("fast", z2) != 0 {
		t.Errorf("a uniform capacity is %v, want 7 bytes everywhere, of no class but the one without a name", got)
	}
}
