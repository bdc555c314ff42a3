// SPDX-License-Identifier: Apache-2.0

package service

import (
	"slices"
	"sync"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// placement decides where volumes and snapshots go, and reserves their bytes. A choice
// and the reservation that follows from it are one step, so that two volumes are never
// promised the same room.
type placement struct {
	// local is the only segment with storage in node-local mode, and nil otherwise.
	local topology.Segment

	mu           sync.Mutex
	reservations *pool.Reservations
}

// placementRequest describes a volume or snapshot to place.
type placementRequest struct {
	bytes int64
	class string
	// zones is the number of segments it has to be accessible from.
	zones       int
	requirement topology.Requirement
	// reach are the segments that a source has its data in; nil without a source.
	reach []topology.Segment
}

// reserve chooses known segments that have room for the request, and reserves it there. If there are none, it reserves
// nothing and returns a *topology.NoRoomError.
func (p *placement) reserve(id string, known []topology.Segment, r placementRequest) ([]topology.Segment, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	free := func(segment topology.Segment) int64 {
		if !p.serves(segment) || (r.reach != nil && !slices.ContainsFunc(r.reach, segment.Equal)) {
			return topology.OutOfReach
		}
		return p.reservations.Available(r.class, segment)
	}
	segments, err := topology.Choose(known, r.requirement, r.zones, r.bytes, free)
	if err != nil {
		return nil, err
	}
	return segments, p.reservations.Reserve(id, pool.Entry{Class: r.class, Bytes: r.bytes, Segments: segments})
}

// serves reports whether this controller manages the segment's storage.
func (p *placement) serves(segment topology.Segment) bool {
	return p.local == nil || p.local.Equal(segment)
}

// grow raises the reservation of the volume to the given number of bytes, or leaves it unchanged.
func (p *placement) grow(id string, bytes int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reservations.Grow(id, bytes)
}

// restore reserves the bytes in the record of a volume.
func (p *placement) restore(v record.Volume) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reservations.Restore(v.ID, pool.Entry{Class: v.Class, Bytes: v.Reserved(), Segments: v.Segments})
}

// restoreSnapshot reserves the bytes in the record of a snapshot.
func (p *placement) restoreSnapshot(s record.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reservations.Restore(s.ID, pool.Entry{Class: s.Class, Bytes: s.Bytes, Segments: s.Segments})
}

// release ends the reservation of the volume or snapshot.
func (p *placement) release(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reservations.Release(id)
}

// classes returns the classes of storage.
func (p *placement) classes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reservations.Capacity().Classes()
}

// setCapacity changes the capacity of the segments.
func (p *placement) setCapacity(c pool.Capacity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reservations.SetCapacity(c)
}

// usage returns the total and the remaining capacity of each class in each known segment.
func (p *placement) usage(known []topology.Segment) []pool.Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	var usage []pool.Usage
	for _, class := range p.reservations.Capacity().Classes() {
		for _, segment := range known {
			if p.serves(segment) {
				usage = append(usage, p.reservations.Usage(class, segment))
			}
		}
	}
	return usage
}

// usableBytes returns the bytes that volumes of a class, each accessible from x segments, can use in the segments that
// match wanted: in total, and for the largest volume; see pool.Usable.
func (p *placement) usableBytes(known []topology.Segment, wanted map[string]string, class string, x int) (total, largest int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rooms := make([]int64, len(known))
	var in []int
	for i, segment := range known {
		matches := segment.Matches(wanted)
		if matches {
			in = append(in, i)
		}
		if (matches || x > 1) && p.serves(segment) { // room elsewhere matters only to volumes in several segments
			rooms[i] = p.reservations.Available(class, segment)
		}
	}
	return pool.Usable(rooms, in, x)
}
