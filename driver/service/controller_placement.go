// SPDX-License-Identifier: Apache-2.0

package service

import (
	"slices"
	"sync"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// placement decides where volumes and snapshots go, and keeps the books of it. A
// choice and the reservation that follows from it are one step, so that two
// volumes are never promised the same room.
type placement struct {
	// local is the only segment that has storage, where volumes are local to one; else nil.
	local topology.Segment

	mu    sync.Mutex
	books *pool.Books
}

// wish is what has to be placed.
type wish struct {
	bytes int64
	class string
	// zones is from how many segments it has to be accessible.
	zones       int
	requirement topology.Requirement
	// reach are the segments that a source has its data in; nil without a source.
	reach []topology.Segment
}

// reserve chooses segments of the known ones that have room for what is wished,
// and takes it there. It returns a *topology.NoRoomError where there are none, and
// takes nothing.
func (p *placement) reserve(id string, known []topology.Segment, w wish) ([]topology.Segment, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	free := func(segment topology.Segment) int64 {
		if !p.serves(segment) || (w.reach != nil && !slices.ContainsFunc(w.reach, segment.Equal)) {
			return topology.OutOfReach
		}
		return p.books.Available(w.class, segment)
	}
	segments, err := topology.Choose(known, w.requirement, w.zones, w.bytes, free)
	if err != nil {
		return nil, err
	}
	return segments, p.books.Reserve(id, pool.Entry{Class: w.class, Bytes: w.bytes, Segments: segments})
}

// serves tells whether the segment's storage is this controller's.
func (p *placement) serves(segment topology.Segment) bool {
	return p.local == nil || p.local.Equal(segment)
}

// grow takes what the volume lacks of the given number of bytes, or nothing.
func (p *placement) grow(id string, bytes int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.books.Grow(id, bytes)
}

// restore makes the books say of a volume what its record says.
func (p *placement) restore(v record.Volume) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.books.Restore(v.ID, pool.Entry{Class: v.Class, Bytes: v.Reserved(), Segments: v.Segments})
}

// restoreSnapshot makes the books say of a snapshot what its record says.
func (p *placement) restoreSnapshot(s record.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.books.Restore(s.ID, pool.Entry{Class: s.Class, Bytes: s.Bytes, Segments: s.Segments})
}

// release gives back what the volume or snapshot takes.
func (p *placement) release(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.books.Release(id)
}

// classes returns the classes of storage.
func (p *placement) classes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.books.Capacity().Classes()
}

// setCapacity changes what segments have.
func (p *placement) setCapacity(c pool.Capacity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.books.SetCapacity(c)
}

// usage returns what each known segment has and has left of each class.
func (p *placement) usage(known []topology.Segment) []pool.Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	var usage []pool.Usage
	for _, class := range p.books.Capacity().Classes() {
		for _, segment := range known {
			if p.serves(segment) {
				usage = append(usage, p.books.Usage(class, segment))
			}
		}
	}
	return usage
}

// usable returns what volumes of a class that are accessible from x segments can
// use of those that match wanted, altogether and the largest of them; see pool.Usable.
func (p *placement) usable(known []topology.Segment, wanted map[string]string, class string, x int) (total, largest int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rooms := make([]int64, len(known))
	var in []int
	for i, segment := range known {
		if p.serves(segment) {
			rooms[i] = p.books.Available(class, segment)
		}
		if segment.Matches(wanted) {
			in = append(in, i)
		}
	}
	return pool.Usable(rooms, in, x)
}
