// SPDX-License-Identifier: Apache-2.0

package room

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

func TestBooksCountWhatIsTaken(t *testing.T) {
	z1, z2 := model.Segment{"zone": "Z1"}, model.Segment{"zone": "Z2"}
	volume := func(id string, bytes int64, in model.Segment) *csi.Volume {
		return &csi.Volume{VolumeId: id, CapacityBytes: bytes, AccessibleTopology: []*csi.Topology{{Segments: in}}}
	}
	for _, c := range []struct {
		name   string
		given  func(*Books)
		z1, z2 int64
	}{
		{"nothing", func(*Books) {}, 0, 0},
		{"what is asked for may be anywhere", func(b *Books) { b.Ask("a", 5) }, 5, 5},
		{"a volume", func(b *Books) { b.Ask("a", 5); b.Answer("a", volume("1", 6, z1)) }, 6, 0},
		{"a volume that does not say its size", func(b *Books) { b.Ask("a", 5); b.Answer("a", volume("1", 0, z1)) }, 5, 0},
		{"a volume from everywhere", func(b *Books) { b.Answer("a", &csi.Volume{VolumeId: "1", CapacityBytes: 4}) }, 4, 4},
		{"a refusal", func(b *Books) { b.Ask("a", 5); b.Answer("a", nil) }, 0, 0},
		{"a repeated call", func(b *Books) { b.Answer("a", volume("1", 6, z1)); b.Answer("a", volume("1", 6, z1)) }, 6, 0},
		{"growth", func(b *Books) { b.Answer("a", volume("1", 6, z2)); b.Grow("1", 10) }, 0, 10},
		{"growth of what others have", func(b *Books) { b.Grow("1", 10) }, 0, 0},
		{"a deleted volume, whose room may return late", func(b *Books) { b.Answer("a", volume("1", 6, z1)); b.Delete("1") }, 6, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &Books{}
			count := b.begin(model.Set{z1, z2})
			c.given(b)
			if got1, got2 := b.taken(count, z1), b.taken(count, z2); got1 != c.z1 || got2 != c.z2 {
				t.Errorf("taken are %d in Z1 and %d in Z2, want %d and %d", got1, got2, c.z1, c.z2)
			}
			if got := b.taken(b.begin(model.Set{z1}), z1); c.name == "a volume" && got != 0 {
				t.Errorf("a count that began later has %d bytes taken", got)
			}
		})
	}
}
