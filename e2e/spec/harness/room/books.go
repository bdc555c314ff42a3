// SPDX-License-Identifier: Apache-2.0

package room

import (
	"cmp"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// Books count the bytes of the volumes that all cases of a run have in each segment, or are asking for: cases that run beside
// each other take room from each other, which no answer of GetCapacity need show.
type Books struct {
	mu      sync.Mutex
	volumes map[string]*csi.Volume // by volume_id
	asked   map[string]int64       // by name, the bytes of volumes whose creation was not answered yet: they may be anywhere
	counts  map[*count]bool        // those that go on
}

// count follows the bytes in each of some segments.
type count struct {
	segments    model.Set
	first, most map[string]int64
}

// Ask enters that a volume is asked for.
func (b *Books) Ask(name string, bytes int64) {
	b.change(func() { b.asked[name] = max(b.asked[name], bytes) })
}

// Answer enters what became of that: a volume, or nil.
func (b *Books) Answer(name string, volume *csi.Volume) {
	b.change(func() {
		if volume != nil {
			bytes := cmp.Or(volume.GetCapacityBytes(), b.asked[name])
			b.volumes[volume.GetVolumeId()] = &csi.Volume{CapacityBytes: bytes, AccessibleTopology: volume.GetAccessibleTopology()}
		}
		delete(b.asked, name)
	})
}

// Grow enters the size in bytes that a volume has now.
func (b *Books) Grow(volumeID string, bytes int64) {
	b.change(func() {
		if volume := b.volumes[volumeID]; volume != nil {
			b.volumes[volumeID] = &csi.Volume{CapacityBytes: bytes, AccessibleTopology: volume.GetAccessibleTopology()}
		}
	})
}

// Delete strikes a volume.
func (b *Books) Delete(volumeID string) {
	b.change(func() { delete(b.volumes, volumeID) })
}

func (b *Books) change(enter func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.volumes == nil {
		b.volumes, b.asked, b.counts = map[string]*csi.Volume{}, map[string]int64{}, map[*count]bool{}
	}
	enter()
	for c := range b.counts {
		for _, segment := range c.segments {
			c.most[segment.String()] = max(c.most[segment.String()], b.in(segment))
		}
	}
}

// in is how many bytes there are in the segment, or may be.
func (b *Books) in(segment model.Segment) (bytes int64) {
	for _, volume := range b.volumes {
		if segment == nil || len(volume.GetAccessibleTopology()) == 0 || messages.Within(volume.GetAccessibleTopology(), segment) {
			bytes += volume.GetCapacityBytes()
		}
	}
	for _, asked := range b.asked {
		bytes += asked
	}
	return bytes
}

// begin begins to count in the segments.
func (b *Books) begin(segments model.Set) *count {
	c := &count{segments: segments, first: map[string]int64{}, most: map[string]int64{}}
	b.change(func() {
		b.counts[c] = true
		for _, segment := range segments {
			c.first[segment.String()] = b.in(segment)
		}
	})
	return c
}

// end ends a count.
func (b *Books) end(c *count) {
	b.change(func() { delete(b.counts, c) })
}

// taken is by how many bytes more than at first there have been in the segment, at the most.
func (b *Books) taken(c *count, segment model.Segment) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return c.most[segment.String()] - c.first[segment.String()]
}
