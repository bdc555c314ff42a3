// SPDX-License-Identifier: Apache-2.0

package room

import (
	"sync"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// Seen tracks the most and the least room that a driver reported in each segment. Several goroutines may note
// concurrently.
type Seen struct {
	mu          sync.Mutex
	most, least map[string]Space
}

// Note records the room that the driver reports for the segment now.
func (s *Seen) Note(segment model.Segment, now Space) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := segment.String()
	before, noted := s.most[name]
	if s.most == nil {
		s.most, s.least = map[string]Space{}, map[string]Space{}
	}
	if !noted {
		s.most[name], s.least[name] = now, now
		return
	}
	least := s.least[name]
	s.most[name] = Space{Told: true, Largest: max(before.Largest, now.Largest), Available: max(before.Available, now.Available)}
	s.least[name] = Space{Told: true, Largest: min(least.Largest, now.Largest), Available: min(least.Available, now.Available)}
}

// Most returns the most room that was ever reported for the segment.
func (s *Seen) Most(segment model.Segment) Space {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most[segment.String()]
}

// Least returns the least room that was ever reported for the segment.
func (s *Seen) Least(segment model.Segment) Space {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.least[segment.String()]
}
