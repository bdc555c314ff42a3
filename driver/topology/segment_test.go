package topology_test

import (
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
