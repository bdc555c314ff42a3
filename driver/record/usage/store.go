// SPDX-License-Identifier: Apache-2.0

package usage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// Store holds the records of one node. It is safe for concurrent use, except for calls that change the same record, which
// the caller must make one after the other.
type Store struct {
	files files

	mu      sync.Mutex
	records map[At]Record
}

// Open returns the records in the directory, which it makes if it is missing, and which no other process may use. With ""
// as directory, they last only as long as the Store. It removes and logs files without a complete record. watch is
// notified of each step on disk.
func Open(ctx context.Context, dir string, watch durable.Watch) (*Store, error) {
	s := &Store{files: files{dir: dir, watch: watch}, records: map[At]Record{}}
	found, err := s.files.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening the records of how volumes are used in %s: %w", dir, err)
	}
	for _, r := range found {
		s.records[r.At] = r
	}
	return s, nil
}

// Find returns the record at the path, or false if there is none.
func (s *Store) Find(at At) (Record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, found := s.records[at]
	return r, found
}

// Of returns the records of the volume in that role, by path.
func (s *Store) Of(volumeID string, role Role) []Record {
	return s.filter(func(at At) bool { return at.VolumeID == volumeID && at.Role == role })
}

// All returns all records, by path.
func (s *Store) All() []Record {
	return s.filter(func(At) bool { return true })
}

func (s *Store) filter(match func(At) bool) []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Record
	for at, r := range s.records {
		if match(at) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b Record) int { return cmp.Compare(a.Path, b.Path) })
	return found
}

// Put writes or replaces a record; it is on disk when Put returns.
func (s *Store) Put(r Record) error {
	if err := s.files.write(r); err != nil {
		return fmt.Errorf("recording volume %q as %s at %s: %w", r.VolumeID, r.Role, r.Path, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records[r.At] = r
	return nil
}

// Remove removes a record. It succeeds if there is none.
func (s *Store) Remove(at At) error {
	// Whatever is in s.records: a Put that failed may have left a file.
	if err := s.files.remove(at); err != nil {
		return fmt.Errorf("removing the record of volume %q as %s at %s: %w", at.VolumeID, at.Role, at.Path, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.records, at)
	return nil
}
