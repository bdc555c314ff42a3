// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"slices"
	"sync"
	"time"
)

// gathering is how long the calls that were under way with the one whose connection broke may take to be told so: the end of
// a process ends all of them.
const gathering = 500 * time.Millisecond

// inquest finds out of which call the driver died. While it lasts, no call but the suspects' is made, and they are repeated
// one at a time: those that are deliberately invalid first.
type inquest struct {
	mu       sync.Mutex
	underWay int           // calls that are not the inquest's
	closed   chan struct{} // while an inquest lasts; closed when it ends
	arrived  chan struct{} // is closed and replaced when a suspect comes or goes, or a call ends
	suspects []*Suspect
	active   *Suspect // the one whose turn it is
	began    time.Time
	deadly   []string // the calls, with their requests, of which the driver died twice
}

// Suspect is a call that was under way when the connection to the driver broke.
type Suspect struct {
	of      *inquest
	call    Cut
	invalid bool
	heard   bool // it has been repeated, or given up
	killed  bool // the driver died of it again
	// company is how many others were under way.
	company int
}

// Enter waits until no inquest is going on, and returns what to do when the call has ended. The error is that of the
// context.
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

// UnderWay is how many calls are under way that are no suspects.
func (h *Health) UnderWay() int {
	h.inquest.mu.Lock()
	defer h.inquest.mu.Unlock()
	return h.inquest.underWay
}

// Suspect says that the connection broke during a call that entered, and begins an inquest if none is going on. The call is
// invalid if its request is so on purpose.
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

// Crashes is how many times the connection to the driver has broken during calls, of which each end of its process is one.
func (h *Health) Crashes() int64 { return h.crashes.Load() }

// Turn waits until the call can be repeated alone. The error is that of the context.
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

// take takes the turn if it is the suspect's, and says how long to wait for it, which a change may shorten: 0 where it was
// taken.
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

// Alone reports whether no other call was under way when the connection broke. It is known once it is the call's turn.
func (s *Suspect) Alone() bool {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.company == 0
}

// Kill says that the driver died of the call again.
func (h *Health) Kill(s *Suspect) {
	h.inquest.mu.Lock()
	defer h.inquest.mu.Unlock()
	s.killed = true
	h.inquest.deadly = append(h.inquest.deadly, s.call.RPC)
}

// IsDeadly reports whether the driver died of such a call twice, with that request.
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

// Dismiss says that the call was repeated, or is given up. The last one ends the inquest. It may be said again.
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

// conclude keeps the calls of which none ended the driver again when it was repeated.
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

// Answered says that a call of a survey was answered when it was repeated. If it was the only suspect, the whole run tells: of
// other calls, their case does.
func (h *Health) Answered(s *Suspect) {
	if s.Alone() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.unexplained = append(h.unexplained, []Cut{s.call})
	}
}

// Unexplained are the calls that were under way when the driver's process ended, for each time that none of them ended it
// again.
func (h *Health) Unexplained() [][]Cut {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.unexplained)
}

// stir has everybody look again.
func (q *inquest) stir() {
	if q.arrived != nil {
		close(q.arrived)
	}
	q.arrived = make(chan struct{})
}

// patience is for how long others may still come.
func (q *inquest) patience() time.Duration {
	if q.underWay == 0 {
		return 0
	}
	return gathering - time.Since(q.began)
}

// next is whose turn it is next: that of the first one that is invalid, and then of the first one; nil where all were heard.
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
