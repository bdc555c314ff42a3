// SPDX-License-Identifier: Apache-2.0

// Package pool accounts for storage capacity: the capacity of each class of storage in each topology segment, the
// reservations of volumes and snapshots, and the remaining capacity. It does no I/O, and knows neither requests nor the
// existing segments.
package pool

import (
	"fmt"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Reservations tracks the capacity of every segment, and the reserved part of it. A volume in several segments has its
// data in each, and counts in each. Reservations is not safe for concurrent use.
type Reservations struct {
	capacity Capacity
	entries  map[string]Entry
	reserved map[segmentClass]int64
}

// Entry is the reservation of one volume or snapshot.
type Entry struct {
	// Class is the class of storage.
	Class string
	// Bytes is the number of bytes that it takes in each of Segments.
	Bytes    int64
	Segments []topology.Segment
}

// segmentClass is the storage of one class in one segment.
type segmentClass struct {
	class   string
	segment string // by Segment.String
}

// New returns Reservations of the capacity, with nothing reserved.
func New(capacity Capacity) *Reservations {
	return &Reservations{capacity: capacity, entries: map[string]Entry{}, reserved: map[segmentClass]int64{}}
}

// Capacity returns the total capacity of segments, used or not.
func (r *Reservations) Capacity() Capacity { return r.capacity }

// SetCapacity changes the capacity of segments; reservations stay.
func (r *Reservations) SetCapacity(c Capacity) { r.capacity = c }

// Available returns the unreserved bytes of a class in the segment. It is never negative, even if the capacity was
// lowered below the reserved bytes.
func (r *Reservations) Available(class string, segment topology.Segment) int64 {
	return max(0, r.capacity.Of(class, segment)-r.reserved[segmentClass{class, segment.String()}])
}

// Reserve takes the bytes of the entry in every one of its segments. If one of them lacks room, it
// takes none and returns an error that names it.
func (r *Reservations) Reserve(id string, e Entry) error {
	if _, found := r.entries[id]; found {
		return fmt.Errorf("%s has its bytes reserved already", id)
	}
	for _, segment := range e.Segments {
		if free := r.Available(e.Class, segment); free < e.Bytes {
			return fmt.Errorf("%s needs %d bytes in {%s}, which has %d", id, e.Bytes, segment, free)
		}
	}
	r.Restore(id, e)
	return nil
}

// Restore reserves the bytes of an existing volume or snapshot, even without room for it, in place of its earlier
// reservation.
func (r *Reservations) Restore(id string, e Entry) {
	r.Release(id)
	for _, segment := range e.Segments {
		r.reserved[segmentClass{e.Class, segment.String()}] += e.Bytes
	}
	r.entries[id] = e
}

// Grow raises the reservation of a volume to the given number of bytes in every segment of the volume. If one of them
// lacks room, it changes nothing and returns an error that names it. A larger reservation is left unchanged.
func (r *Reservations) Grow(id string, bytes int64) error {
	e, found := r.entries[id]
	if !found {
		return fmt.Errorf("%s has no bytes reserved", id)
	}
	more := bytes - e.Bytes
	if more <= 0 {
		return nil
	}
	for _, segment := range e.Segments {
		if free := r.Available(e.Class, segment); free < more {
			return fmt.Errorf("%s needs %d bytes more in {%s}, which has %d", id, more, segment, free)
		}
	}
	e.Bytes = bytes
	r.Restore(id, e)
	return nil
}

// Release ends the reservation under the id, if there is one.
func (r *Reservations) Release(id string) {
	e, found := r.entries[id]
	if !found {
		return
	}
	for _, segment := range e.Segments {
		at := segmentClass{e.Class, segment.String()}
		if r.reserved[at] -= e.Bytes; r.reserved[at] == 0 {
			delete(r.reserved, at)
		}
	}
	delete(r.entries, id)
}
