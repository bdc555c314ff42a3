// SPDX-License-Identifier: Apache-2.0

package room

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// TestHavingVolumesThatShare checks that a case that makes volumes of two topologies may use the first two of its segments
// for one volume.
func TestHavingVolumesThatShare(t *testing.T) {
	in := func(region, zone string) model.Segment { return model.Segment{"region": region, "zone": zone} }
	for _, c := range []struct {
		name    string
		known   model.Set
		all     bool // the profile lists the segments
		want    string
		canMake bool // a volume in the first two of them
	}{
		{"two regions", model.Set{in("1", "a"), in("2", "b"), in("1", "c"), in("2", "d")}, true, "a c b d", true},
		{"a region with one zone", model.Set{in("1", "a"), in("2", "b"), in("2", "c")}, true, "b c", true},
		{"regions with one zone each", model.Set{in("1", "a"), in("2", "b")}, true, "", false},
		{"regions of which one zone each is known", model.Set{in("1", "a"), in("2", "b")}, false, "a", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			described := profile.Profile{Volumes: []profile.Kind{{AccessibleFrom: 1}, {AccessibleFrom: 2, Sharing: "region"}}}
			if c.all {
				for _, segment := range c.known {
					described.Segments = append(described.Segments, segment)
				}
			}
			r := &Rooms{Profile: described, Segments: c.known}
			var got string
			usable := r.Having(2)
			for _, segment := range usable {
				if got != "" {
					got += " "
				}
				got += segment["zone"]
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if can := len(usable) > 1 && r.Makes(2, usable[:2]...); can != c.canMake {
				t.Errorf("makes a volume in the first two: %t, want %t", can, c.canMake)
			}
		})
	}
}
