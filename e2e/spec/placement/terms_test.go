// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/model"
)

func TestTerms(t *testing.T) {
	const region, zone = "a.example/region", "a.example/Zone"
	segment := model.Segment{region: "R1", zone: "z2"}
	others := model.Set{segment, {region: "R1", zone: "z3"}, {region: "R2", zone: "z4"}}
	for _, c := range []struct {
		name      string
		got, want model.Segment
	}{
		{"nowhere", nowhere(segment), model.Segment{region: "csi-topo-nowhere", zone: "csi-topo-nowhere"}},
		{"withUnknownKey", withUnknownKey(segment), model.Segment{region: "R1", zone: "z2", "a.example/csi-topo-unknown": "csi-topo"}},
		{"withUnknownKey without prefixes", withUnknownKey(model.Segment{"zone": "z2"}), model.Segment{"zone": "z2", "csi-topo-unknown": "csi-topo"}},
		{"narrowest", narrowest(segment, others), model.Segment{zone: "z2"}},
		{"widest", widest(segment, others), model.Segment{region: "R1"}},
		{"keysInOtherCase", keysInOtherCase(segment), model.Segment{"a.example/REGION": "R1", "a.example/zONE": "z2"}},
		{"keysInOtherCase without prefix", keysInOtherCase(model.Segment{"zone": "z2"}), model.Segment{"ZONE": "z2"}},
		{"valuesInOtherCase", valuesInOtherCase(segment), model.Segment{region: "r1", zone: "Z2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.got.Equal(c.want) {
				t.Errorf("got %v, want %v", c.got, c.want)
			}
		})
	}
	if want := (model.Segment{region: "R1", zone: "z2"}); !segment.Equal(want) {
		t.Errorf("the segment itself is changed: %v", segment)
	}
}

func TestShareAWord(t *testing.T) {
	for _, c := range []struct {
		prefix, driver string
		want           bool
	}{
		{"topology.hostpath.topo.csi", "hostpath.topo.csi", true},
		{"topology.gke.io", "pd.csi.storage.gke.io", true},
		{"topolvm.io", "topolvm.io", true},
		{"topology.kubernetes.io", "ebs.csi.aws.com", false},
		{"topology.example.com", "csi.vendor.com", false},
		{"simple", "simple", true},
	} {
		if got := shareAWord(c.prefix, c.driver); got != c.want {
			t.Errorf("prefix %s, driver %s: got %t, want %t", c.prefix, c.driver, got, c.want)
		}
	}
}
