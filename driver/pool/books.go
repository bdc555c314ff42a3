// Package pool keeps the books of storage capacity: what each topology segment
// has, which volume reserves how much of it, and what is left. It is pure, and
// knows neither requests nor which segments exist.
package pool

import (
	"fmt"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Books say what every segment has and has left. A volume that is accessible
// from several segments has its data in each, and counts in each. Books are not
// safe for concurrent use.
type Books struct {
	capacity Capacity
	volumes  map[string]entry
	reserved map[string]int64 // by Segment.String
}

type entry struct {
	bytes    int64
	segments []topology.Segment
}

// New opens empty books.
func New(capacity Capacity) *Books {
	return &Books{capacity: capacity, volumes: map[string]entry{}, reserved: map[string]int64{}}
}

// Available returns the bytes of the segment that no volume reserves. It is
// never negative, even where a capacity was lowered below what was reserved.
func (b *Books) Available(segment topology.Segment) int64 {
	return max(0, b.capacity.Of(segment)-b.reserved[segment.String()])
}

// Reserve takes the bytes for a volume in every one of the segments, or, where
// one of them lacks room, in none: then it returns an error that names it.
func (b *Books) Reserve(id string, bytes int64, segments []topology.Segment) error {
	if _, found := b.volumes[id]; found {
		return fmt.Errorf("volume %s has its bytes reserved already", id)
	}
	for _, segment := range segments {
		if free := b.Available(segment); free < bytes {
			return fmt.Errorf("volume %s needs %d bytes in {%s}, which has %d", id, bytes, segment, free)
		}
	}
	b.Restore(id, bytes, segments)
	return nil
}

// Restore enters a volume that exists, whether there is room for it or not, in
// place of what the books say of it.
func (b *Books) Restore(id string, bytes int64, segments []topology.Segment) {
	b.Release(id)
	for _, segment := range segments {
		b.reserved[segment.String()] += bytes
	}
	b.volumes[id] = entry{bytes: bytes, segments: segments}
}

// Grow takes what a volume lacks of the given number of bytes in every segment
// it is in, or, where one of them lacks room, in none: then it returns an error
// that names it. A volume that has as much already is left as it is.
func (b *Books) Grow(id string, bytes int64) error {
	e, found := b.volumes[id]
	if !found {
		return fmt.Errorf("volume %s has no bytes reserved", id)
	}
	more := bytes - e.bytes
	if more <= 0 {
		return nil
	}
	for _, segment := range e.segments {
		if free := b.Available(segment); free < more {
			return fmt.Errorf("volume %s needs %d bytes more in {%s}, which has %d", id, more, segment, free)
		}
	}
	b.Restore(id, bytes, e.segments)
	return nil
}

// Release gives back what a volume reserves; one that is not in the books is no error.
func (b *Books) Release(id string) {
	e, found := b.volumes[id]
	if !found {
		return
	}
	for _, segment := range e.segments {
		b.reserved[segment.String()] -= e.bytes
	}
	delete(b.volumes, id)
}
