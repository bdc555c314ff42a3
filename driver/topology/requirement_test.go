// SPDX-License-Identifier: Apache-2.0

package topology_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/topology"
)

func TestRequirementIsRefused(t *testing.T) {
	known := zones("Z2", "Z3")
	for _, test := range []struct {
		name      string
		requisite []map[string]string
		preferred []map[string]string
		want      string // in the message
	}{
		{"empty", nil, nil, "neither requisite nor preferred"},
		{"preferred outside requisite", asked(zones("Z2")), asked(zones("Z3")), "preferred[0] {x/region=R1,x/zone=Z3} is not in requisite"},
		{"preferred wider than requisite", asked(zones("Z2")), []map[string]string{{"x/region": "R1"}}, "is not in requisite"},
		{"unknown zone", asked(zones("Z9")), nil, "requisite: no node is in {x/region=R1,x/zone=Z9}: known are {x/region=R1,x/zone=Z2}"},
		{"unknown zone preferred outside requisite", asked(zones("Z2")), asked(zones("Z9")), "preferred[0] {x/region=R1,x/zone=Z9} is not in requisite"},
		{"unknown key", []map[string]string{{"y/zone": "Z2"}}, nil, "no node is in {y/zone=Z2}"},
		{"topology without segments", []map[string]string{{}}, nil, "requisite[0]: the topology has no segments"},
		{"keys that differ in case", []map[string]string{{"x/zone": "Z2", "x/Zone": "Z2"}}, nil, `the keys "x/Zone" and "x/zone" differ only in case`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := topology.NewRequirement(known, test.requisite, test.preferred)
			if !errors.Is(err, topology.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want ErrInvalid with %q", err, test.want)
			}
		})
	}
}

func TestRequirementMet(t *testing.T) {
	known := zones("Z2", "Z3", "Z4", "Z5")
	region := []map[string]string{{"x/region": "R1"}}
	for _, test := range []struct {
		name      string
		requisite []map[string]string
		preferred []map[string]string
		volume    []topology.Segment
		want      bool
	}{
		{"x=n, all", asked(zones("Z2", "Z3")), nil, zones("Z3", "Z2"), true},
		{"x=n, not all", asked(zones("Z2", "Z3")), nil, zones("Z2", "Z4"), false},
		{"x<n, inside", asked(zones("Z2", "Z3")), nil, zones("Z3"), true},
		{"x<n, outside", asked(zones("Z2", "Z3")), nil, zones("Z4"), false},
		{"x<n, half outside", asked(zones("Z2", "Z3", "Z4")), nil, zones("Z4", "Z5"), false},
		{"x>n, all", asked(zones("Z2")), nil, zones("Z5", "Z2"), true},
		{"x>n, not all", asked(zones("Z2")), nil, zones("Z5", "Z4"), false},
		{"a region", region, nil, zones("Z5"), true},
		{"preferred is not required", nil, asked(zones("Z2")), zones("Z5"), true},
		{"a key in another case", []map[string]string{{"X/ZONE": "Z2"}}, nil, zones("Z2"), true},
		{"an unknown zone is one of n: x<n, inside", asked(zones("Z9", "Z2")), nil, zones("Z2"), true},
		{"an unknown zone is one of n: x<n, outside", asked(zones("Z9", "Z2")), nil, zones("Z3"), false},
		{"an unknown zone is one of n: x=n", asked(zones("Z9", "Z2")), nil, zones("Z2", "Z3"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			requirement, err := topology.NewRequirement(known, test.requisite, test.preferred)
			if err != nil {
				t.Fatal(err)
			}
			if got := requirement.Met(test.volume); got != test.want {
				t.Errorf("a volume in %s: got %t, want %t", zonesOf(test.volume), got, test.want)
			}
		})
	}
}
