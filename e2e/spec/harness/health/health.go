// SPDX-License-Identifier: Apache-2.0

// Package health knows whether the driver still answers, and what cases could not remove from it.
package health

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/answer"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Health is whether the driver still answers, and what cases could not remove from it, for all cases of a run.
type Health struct {
	Patience effect.Patience
	// Own knows what in the driver is the run's.
	Own own.Register
	// Rooms are the most and the least that the driver told of the room in its segments.
	Rooms room.Seen
	// Books count what all cases have.
	Books room.Books
	// Line is held by the one that waits for room: those behind it wait for less in vain.
	Line sync.Mutex
	// Answers judges them by what holds for all.
	Answers answer.Judge
	// Pages reads lists.
	Pages pages.Reader
	// Many is set once a list had more of others than is worth keeping.
	Many atomic.Bool
	// Lingers is set once it was said that what is deleted is still listed.
	Lingers atomic.Bool
	// LimitsRates is set once a call that needs no room was RESOURCE_EXHAUSTED, and was answered otherwise when it was
	// repeated.
	LimitsRates atomic.Bool
	// Held is set once the driver kept on saying that something is in use which no case uses any more.
	Held atomic.Bool
	// KeptConnections is set once a connection outlived a restart.
	KeptConnections atomic.Bool

	inquest  inquest
	crashes  atomic.Int64
	reviving sync.Mutex
	answers  answers

	mu          sync.Mutex
	current     string // the case that the driver last answered at the beginning of
	stopped     string // says since when it does not answer any more; empty while it does
	cut         []Cut  // the calls whose connection broke since it last answered one that was repeated
	left        []ledger.Entry
	unexplained [][]Cut
	ended       []Cut
}

// Leave keeps what a case could not remove.
func (h *Health) Leave(entries []ledger.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, entries...)
}

// HasLeft reports whether cases have left what is removed by the RPC.
func (h *Health) HasLeft(method string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.left, func(e ledger.Entry) bool { return e.By == method })
}

// TakeLeft returns what cases could not remove, and takes the driver for one that answers again.
func (h *Health) TakeLeft() []ledger.Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.left
	h.left, h.stopped, h.cut = nil, "", nil
	return left
}

// Begin says that the driver answered at the beginning of the case.
func (h *Health) Begin(caseID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current = caseID
}

// Running is the case that the driver last answered at the beginning of.
func (h *Health) Running() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current
}

// StaysUp is the id of the case that says of which call the driver may have died, where that is not known.
const StaysUp = "run_stays_up"

// Stop says that the driver does not answer the call any more, and returns the calls that were under way when it stopped.
// Only the first to say so is told of them.
func (h *Health) Stop(call Cut) (underWay []Cut, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped != "" {
		return nil, false
	}
	if len(h.cut) == 0 {
		h.cut = []Cut{call}
	}
	h.stopped = "the driver has stopped answering: see the case " + StaysUp
	h.ended = h.cut
	return h.cut, true
}

// Ended are the calls that were under way when the driver stopped answering; none while it answers.
func (h *Health) Ended() []Cut {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.ended)
}

// Revive has the driver started again, unless somebody else has had so and it answers.
func (h *Health) Revive(answers func() bool, restart func() error) error {
	h.reviving.Lock()
	defer h.reviving.Unlock()
	if answers() {
		return nil
	}
	return restart()
}

// StoppedSince says in a sentence since when the driver does not answer any more; nothing while it does.
func (h *Health) StoppedSince() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopped
}

// MustAnswer leaves the case out when the driver has stopped answering.
func (h *Health) MustAnswer() {
	if why := h.StoppedSince(); why != "" {
		suite.LeaveOut("%s", why)
	}
}

// Gone says that the driver does not answer since the case restarted it.
func (h *Health) Gone(caseID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped == "" {
		h.stopped = fmt.Sprintf("the driver does not answer since it was restarted: see the case %s", caseID)
	}
}
