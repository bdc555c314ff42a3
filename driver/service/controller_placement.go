package service

import (
	"sync"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// placement decides where volumes go, and keeps the books of it. A choice and
// the reservation that follows from it are one step, so that two volumes are
// never promised the same room.
type placement struct {
	mu    sync.Mutex
	books *pool.Books
}

// reserve chooses x segments that have room for the volume, and takes it there.
// It returns a *topology.NoRoomError where there are none, and takes nothing.
func (p *placement) reserve(id string, bytes int64, known []topology.Segment, r topology.Requirement, x int) ([]topology.Segment, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	segments, err := topology.Choose(known, r, x, bytes, p.books.Available)
	if err != nil {
		return nil, err
	}
	return segments, p.books.Reserve(id, bytes, segments)
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
	p.books.Restore(v.ID, v.Reserved(), v.Segments)
}

// release gives back what the volume takes.
func (p *placement) release(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.books.Release(id)
}

// usable returns what volumes that are accessible from x segments can use of
// those that match wanted, altogether and the largest of them; see pool.Usable.
func (p *placement) usable(known []topology.Segment, wanted map[string]string, x int) (total, largest int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rooms := make([]int64, len(known))
	var in []int
	for i, segment := range known {
		rooms[i] = p.books.Available(segment)
		if segment.Matches(wanted) {
			in = append(in, i)
		}
	}
	return pool.Usable(rooms, in, x)
}
