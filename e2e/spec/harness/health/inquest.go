// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"slices"
	"sync"
	"time"
)

// gathering is how long calls that were in flight together may take to notice a broken connection: the end of a process
// ends all of them.
const gathering = 500 * time.Millisecond

// inquest finds out which call the driver died of. While it lasts, only the suspects' calls are made, and they are
// repeated one at a time: calls that are deliberately invalid first.
type inquest struct {
	mu       sync.Mutex
	underWay int           // the number of calls that the inquest does not make
	closed   chan struct{} // while an inquest lasts; closed when it ends
	arrived  chan struct{} // is closed and replaced when a suspect comes or goes, or a call ends
	suspects []*Suspect
	active   *Suspect // the suspect whose turn it is
	began    time.Time
	deadly   []string // the calls, with their requests, that crashed the driver twice
}

// Suspect is a call that was under way when the connection to the driver broke.
type Suspect struct {
	of      *inquest
	call    Cut
	invalid bool
	heard   bool // it has been repeated, or given up
	killed  bool // the driver died of it again
	// company is the number of other calls in flight.
	company int
}

// Enter waits until no inquest is going on, and returns a function to call when the call has ended. The error is the
// context's.
func (h *Health) Enter(ctx context.Context) (leave func(), err error) {
	q := &h.inquest
	for {
		q.mu.Lock()
		if q.closed == nil {
			q.underWay++
			q.mu.Unlock()
			return sync.OnceFunc(func() {
				q.mu.Lock()
				defer q.mu.Unlock()
				q.underWay--
				q.stir()
			}), nil
		}
		closed := q.closed
		q.mu.Unlock()
		select {
		case <-closed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// UnderWay returns the number of calls in flight that are not suspects.
func (h *Health) UnderWay() int {
	h.inquest.mu.Lock()
	defer h.inquest.mu.Unlock()
	return h.inquest.underWay
}

// Suspect records that the connection broke during a call that entered, and begins an inquest if none is going on.
// invalid reports that the request is invalid on purpose.
func (h *Health) Suspect(call Cut, invalid bool) *Suspect {
	h.NoteCut(call)
	q := &h.inquest
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed == nil {
		q.closed, q.began, q.suspects = make(chan struct{}), time.Now(), nil
		h.crashes.Add(1)
	}
	s := &Suspect{of: q, call: call, invalid: invalid, company: len(q.suspects)}
	for _, other := range q.suspects {
		other.company++
	}
	q.suspects = append(q.suspects, s)
	q.stir()
	return s
}

// Crashes returns how many times the connection to the driver has broken during calls. Each end of its process counts
// once.
func (h *Health) Crashes() int64 { return h.crashes.Load() }

// Turn waits until the call can be repeated alone. The error is the context's.
func (s *Suspect) Turn(ctx context.Context) error {
	for {
		patience, arrived := s.take()
		if patience == 0 {
			return nil
		}
		late := time.NewTimer(patience)
		select {
		case <-arrived:
		case <-late.C:
		case <-ctx.Done():
			late.Stop()
			return ctx.Err()
		}
		late.Stop()
	}
}

// take takes the turn if it is the suspect's, and returns how long to wait for it, which a change may shorten: 0 if it
// was taken.
func (s *Suspect) take() (patience time.Duration, arrived <-chan struct{}) {
	q := s.of
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.active == s {
		return 0, nil
	}
	if q.active != nil || q.next() != s {
		return time.Hour, q.arrived
	}
	if patience := q.patience(); patience > 0 {
		return patience, q.arrived
	}
	q.active = s
	return 0, nil
}

// Alone reports whether no other call was in flight when the connection broke. It is known once it is the call's turn.
func (s *Suspect) Alone() bool {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.company == 0
}

// Kill records that the driver died of the call again.
func (h *Health) Kill(s *Suspect) {
	h.inquest.mu.Lock()
	defer h.inquest.mu.Unlock()
	s.killed = true
	h.inquest.deadly = append(h.inquest.deadly, s.call.RPC)
}

// IsDeadly reports whether the driver died twice of a call with that request.
func (h *Health) IsDeadly(rpc string) bool {
	h.inquest.mu.Lock()
	defer h.inquest.mu.Unlock()
	return slices.Contains(h.inquest.deadly, rpc)
}

// HasDied reports whether the driver died of any call twice.
func (h *Health) HasDied() bool {
	h.inquest.mu.Lock()
	defer h.inquest.mu.Unlock()
	return len(h.inquest.deadly) > 0
}

// Dismiss records that the call was repeated, or is given up. The last one ends the inquest. It may be called again.
func (h *Health) Dismiss(s *Suspect) {
	q := &h.inquest
	q.mu.Lock()
	defer q.mu.Unlock()
	if s.heard {
		return
	}
	s.heard = true
	if q.active == s {
		q.active = nil
	}
	if q.next() == nil && q.closed != nil {
		close(q.closed)
		q.closed = nil
		h.conclude(q.suspects)
	}
	q.stir()
}

// conclude keeps the calls if none of them ended the driver again when it was repeated.
func (h *Health) conclude(suspects []*Suspect) {
	var calls []Cut
	for _, s := range suspects {
		if s.killed {
			return
		}
		calls = append(calls, s.call)
	}
	if len(calls) > 1 {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.unexplained = append(h.unexplained, calls)
	}
}

// Answered records that a call of a survey was answered when it was repeated. If it was the only suspect, the whole run
// reports it: other calls are reported by their case.
func (h *Health) Answered(s *Suspect) {
	if s.Alone() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.unexplained = append(h.unexplained, []Cut{s.call})
	}
}

// Unexplained returns the calls that were in flight when the driver's process ended, for each time that none of them
// ended it again.
func (h *Health) Unexplained() [][]Cut {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.unexplained)
}

// stir wakes everything that waits.
func (q *inquest) stir() {
	if q.arrived != nil {
		close(q.arrived)
	}
	q.arrived = make(chan struct{})
}

// patience returns how long to wait for further suspects.
func (q *inquest) patience() time.Duration {
	if q.underWay == 0 {
		return 0
	}
	return gathering - time.Since(q.began)
}

// next returns the suspect whose turn it is next: the first invalid one, or else the first one; nil if all were
// repeated.
func (q *inquest) next() *Suspect {
	var next *Suspect
	for _, s := range q.suspects {
		switch {
		case s.heard:
		case s.invalid:
			return s
		case next == nil:
			next = s
		}
	}
	return next
}
