// SPDX-License-Identifier: Apache-2.0

package room

import (
	"cmp"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// Books track the bytes that the volumes of all cases of a run take in each segment: concurrent cases take room from each
// other, and GetCapacity may not show that. A deleted volume may return its room late, so its bytes are not subtracted.
type Books struct {
	mu      sync.Mutex
	volumes map[string]*csi.Volume // by volume_id
	asked   map[string]int64       // the bytes of volumes whose creation has not been answered yet, by name: they may be anywhere
	counts  map[*count]bool        // the counts that have not ended
}

// count counts the bytes that are taken in each of some segments.
type count struct {
	segments model.Set
	taken    map[string]int64
}

// Ask enters a volume that is requested.
func (b *Books) Ask(name string, bytes int64) {
	b.change(func() { b.asked[name] = max(b.asked[name], bytes) })
}

// Answer enters the result of the request: a volume, or nil.
func (b *Books) Answer(name string, volume *csi.Volume) {
	b.change(func() {
		if volume != nil {
			b.resize(volume, cmp.Or(volume.GetCapacityBytes(), b.asked[name]))
		}
		delete(b.asked, name)
	})
}

// Grow enters the new size of a volume in bytes.
func (b *Books) Grow(volumeID string, bytes int64) {
	b.change(func() {
		if volume := b.volumes[volumeID]; volume != nil {
			b.resize(volume, bytes)
		}
	})
}

// Delete forgets a volume.
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
}

// resize enters the difference if a volume takes more bytes than before.
func (b *Books) resize(volume *csi.Volume, bytes int64) {
	id, in := volume.GetVolumeId(), volume.GetAccessibleTopology()
	more := bytes - b.volumes[id].GetCapacityBytes()
	b.volumes[id] = &csi.Volume{VolumeId: id, CapacityBytes: bytes, AccessibleTopology: in}
	for c := range b.counts {
		for _, segment := range c.segments {
			if segment == nil || len(in) == 0 || messages.Within(in, segment) {
				c.taken[segment.String()] += max(0, more)
			}
		}
	}
}

// begin starts counting in the segments.
func (b *Books) begin(segments model.Set) *count {
	c := &count{segments: segments, taken: map[string]int64{}}
	b.change(func() { b.counts[c] = true })
	return c
}

// end ends a count.
func (b *Books) end(c *count) {
	b.change(func() { delete(b.counts, c) })
}

// taken returns the number of bytes that have been taken in the segment since the count began, or may be taken by pending
// requests.
func (b *Books) taken(c *count, segment model.Segment) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	bytes := c.taken[segment.String()]
	for _, asked := range b.asked {
		bytes += asked
	}
	return bytes
}
