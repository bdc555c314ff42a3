// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func topologies(segments ...Segment) []*csi.Topology {
	var list []*csi.Topology
	for _, segment := range segments {
		list = append(list, &csi.Topology{Segments: segment})
	}
	return list
}

func TestAskedWithin(t *testing.T) {
	region := Segment{"region": "R1"}
	tests := []struct {
		name  string
		found []*csi.Topology
		want  string
	}{
		{"the region", topologies(region), satisfied},
		{"zones of the region", topologies(z2, z3), satisfied},
		{"another region", topologies(region, Segment{"region": "R2"}), forGood},
		{"a zone of another region", topologies(Segment{"region": "R2", "zone": "Z2"}), forGood},
		{"a zone of any region", topologies(Segment{"zone": "Z2"}), forGood},
		{"nothing", nil, forGood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, AskedWithin("requisite", test.found, region), test.want) })
	}
}

func TestAskedForEach(t *testing.T) {
	coarse := Segment{"region": "R2"}
	tests := []struct {
		name  string
		found []*csi.Topology
		want  string
	}{
		{"each", topologies(coarse, z2), satisfied},
		{"and the region of the finer", topologies(coarse, Segment{"region": "R1"}, z2), satisfied},
		{"the finer alone", topologies(z2), forGood},
		{"the coarser alone", topologies(coarse, Segment{"region": "R1"}), forGood},
		{"and one without nodes", topologies(coarse, z2, z3), forGood},
		{"nothing", nil, forGood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, AskedForEach("requisite", test.found, coarse, z2), test.want) })
	}
}
