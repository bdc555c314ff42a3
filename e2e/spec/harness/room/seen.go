// SPDX-License-Identifier: Apache-2.0

package room

import (
	"sync"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// Seen keeps the most and the least that a driver told of the room in each segment. Several calls may note at once.
type Seen struct {
	mu          sync.Mutex
	most, least map[string]Space
}

// Note keeps what the driver tells of the segment now.
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

// Most is the most room that was told of the segment at any time.
func (s *Seen) Most(segment model.Segment) Space {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most[segment.String()]
}

// Least is the least room that was told of the segment at any time.
func (s *Seen) Least(segment model.Segment) Space {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.least[segment.String()]
}
