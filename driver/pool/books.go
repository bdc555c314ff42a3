// SPDX-License-Identifier: Apache-2.0

// Package pool keeps the books of storage capacity: what each topology segment
// has of each class of storage, which volume or snapshot reserves how much of it,
// and what is left. It is pure, and knows neither requests nor which segments exist.
package pool

import (
	"fmt"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Books say what every segment has and has left. What is in several segments has
// its data in each, and counts in each. Books are not safe for concurrent use.
type Books struct {
	capacity Capacity
	entries  map[string]Entry
	reserved map[place]int64
}

// Entry is what one volume or snapshot reserves.
type Entry struct {
	// Class is the class of storage.
	Class string
	// Bytes is how much it takes in every one of Segments.
	Bytes    int64
	Segments []topology.Segment
}

// place is one segment's storage of one class.
type place struct {
	class   string
	segment string // by Segment.String
}

// New opens empty books.
func New(capacity Capacity) *Books {
	return &Books{capacity: capacity, entries: map[string]Entry{}, reserved: map[place]int64{}}
}

// Capacity returns what segments have, used or not.
func (b *Books) Capacity() Capacity { return b.capacity }

// SetCapacity changes what segments have; what is reserved stays reserved.
func (b *Books) SetCapacity(c Capacity) { b.capacity = c }

// Available returns the bytes of a class in the segment that nothing reserves. It
// is never negative, even where a capacity was lowered below what was reserved.
func (b *Books) Available(class string, segment topology.Segment) int64 {
	return max(0, b.capacity.Of(class, segment)-b.reserved[place{class, segment.String()}])
}

// Reserve takes what the entry says in every one of its segments, or, where one
// of them lacks room, in none: then it returns an error that names it.
func (b *Books) Reserve(id string, e Entry) error {
	if _, found := b.entries[id]; found {
		return fmt.Errorf("%s has its bytes reserved already", id)
	}
	for _, segment := range e.Segments {
		if free := b.Available(e.Class, segment); free < e.Bytes {
			return fmt.Errorf("%s needs %d bytes in {%s}, which has %d", id, e.Bytes, segment, free)
		}
	}
	b.Restore(id, e)
	return nil
}

// Restore enters what exists, whether there is room for it or not, in place of
// what the books say of it.
func (b *Books) Restore(id string, e Entry) {
	b.Release(id)
	for _, segment := range e.Segments {
		b.reserved[place{e.Class, segment.String()}] += e.Bytes
	}
	b.entries[id] = e
}

// Grow takes what a volume lacks of the given number of bytes in every segment
// it is in, or, where one of them lacks room, in none: then it returns an error
// that names it. A volume that has as much already is left as it is.
func (b *Books) Grow(id string, bytes int64) error {
	e, found := b.entries[id]
	if !found {
		return fmt.Errorf("%s has no bytes reserved", id)
	}
	more := bytes - e.Bytes
	if more <= 0 {
		return nil
	}
	for _, segment := range e.Segments {
		if free := b.Available(e.Class, segment); free < more {
			return fmt.Errorf("%s needs %d bytes more in {%s}, which has %d", id, more, segment, free)
		}
	}
	e.Bytes = bytes
	b.Restore(id, e)
	return nil
}

// Release gives back what is reserved under the id; nothing is no error.
func (b *Books) Release(id string) {
	e, found := b.entries[id]
	if !found {
		return
	}
	for _, segment := range e.Segments {
		at := place{e.Class, segment.String()}
		if b.reserved[at] -= e.Bytes; b.reserved[at] == 0 {
			delete(b.reserved, at)
		}
	}
	delete(b.entries, id)
}
