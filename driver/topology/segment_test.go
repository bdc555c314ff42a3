// SPDX-License-Identifier: Apache-2.0

package topology_test

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/topology"
)

func TestSegmentString(t *testing.T) {
	given := topology.Segment{"x/zone": "Z2", "x/region": "R1"}
	if got, want := given.String(), "x/region=R1,x/zone=Z2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSegmentMatches(t *testing.T) {
	segment := topology.Segment{"x/region": "R1", "x/zone": "Z2"}
	for _, test := range []struct {
		name   string
		wanted map[string]string
		want   bool
	}{
		{"all its keys", map[string]string{"x/region": "R1", "x/zone": "Z2"}, true},
		{"some of its keys", map[string]string{"x/region": "R1"}, true},
		{"no keys", nil, true},
		{"another value", map[string]string{"x/region": "R1", "x/zone": "Z3"}, false},
		{"a key it does not have", map[string]string{"x/zone": "Z2", "x/rack": "1"}, false},
		{"a key in another case", map[string]string{"X/Zone": "Z2"}, true},
		{"a value in another case", map[string]string{"x/zone": "z2"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := segment.Matches(test.wanted); got != test.want {
				t.Errorf("{%s} matches %v: got %t, want %t", segment, test.wanted, got, test.want)
			}
		})
	}
}

func TestSegmentEqual(t *testing.T) {
	segment := topology.Segment{"x/region": "R1", "x/zone": "Z2"}
	for _, test := range []struct {
		name  string
		other topology.Segment
		want  bool
	}{
		{"itself", segment, true},
		{"keys in another case", topology.Segment{"X/REGION": "R1", "x/zone": "Z2"}, true},
		{"fewer keys", topology.Segment{"x/region": "R1"}, false},
		{"more keys", topology.Segment{"x/region": "R1", "x/zone": "Z2", "x/rack": "1"}, false},
		{"another value", topology.Segment{"x/region": "R1", "x/zone": "Z3"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := segment.Equal(test.other); got != test.want {
				t.Errorf("{%s} equals {%s}: got %t, want %t", segment, test.other, got, test.want)
			}
		})
	}
}

// TestKeys checks that all keys have one prefix (TO-06), and names that the spec allows
// (TO-01 to TO-05).
func TestKeys(t *testing.T) {
	for _, key := range []string{topology.RegionKey, topology.ZoneKey, topology.NodeKey} {
		prefix, name, found := strings.Cut(key, "/")
		if !found || prefix != "topology.hostpath.topo.csi" || name == "" || len(prefix) > 63 {
			t.Errorf("%q has the prefix %q and the name %q", key, prefix, name)
		}
	}
}

// TestSegmentsOfNodes checks that segments of nodes are in the segment of their zone,
// and differ from each other.
func TestSegmentsOfNodes(t *testing.T) {
	first := topology.Segment{topology.ZoneKey: "Z2", topology.NodeKey: "n1"}
	second := topology.Segment{topology.ZoneKey: "Z2", topology.NodeKey: "n2"}
	zone := topology.Segment{topology.ZoneKey: "Z2"}
	if !first.Matches(zone) || zone.Matches(first) || first.Equal(second) || first.Matches(second) {
		t.Errorf("{%s} and {%s} are to be two, both of them in {%s}", first, second, zone)
	}
	if got, want := first.String(), "topology.hostpath.topo.csi/node=n1,topology.hostpath.topo.csi/zone=Z2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
