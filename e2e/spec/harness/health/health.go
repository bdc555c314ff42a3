// SPDX-License-Identifier: Apache-2.0

// Package health tracks whether the driver still answers, and the objects that cases could not remove from it.
package health

import (
	"fmt"
	"slices"
	"strings"
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

// Health tracks whether the driver still answers, and the objects that cases could not remove, for all cases of a run.
type Health struct {
	Patience effect.Patience
	// Own tracks which objects in the driver belong to the run.
	Own own.Register
	// Rooms holds the most and the least room that the driver reported in its segments.
	Rooms room.Seen
	// Books counts the volumes of all cases.
	Books room.Books
	// Line is held by the call that waits for room, so that only one call waits at a time.
	Line sync.Mutex
	// RoomCalls lets in the calls that take room or return it.
	RoomCalls Gate
	// Misplaces is set once the driver placed a volume wrongly, or refused it, while no other case changed its room.
	Misplaces atomic.Bool
	// Answers judges answers by rules that hold for all of them.
	Answers answer.Judge
	// Pages reads lists.
	Pages pages.Reader
	// Many is set once a list had more objects of other users than are worth keeping.
	Many atomic.Bool
	// Lingers is set once a case has reported that deleted objects are still listed.
	Lingers atomic.Bool
	// LimitsRates is set once a call that needs no room was RESOURCE_EXHAUSTED, and was answered with another code when
	// it was repeated.
	LimitsRates atomic.Bool
	// Held is set once the driver kept reporting that an object is in use that no case uses any more.
	Held atomic.Bool
	// KeptConnections is set once a connection outlived a restart.
	KeptConnections atomic.Bool

	inquest  inquest
	crashes  atomic.Int64
	reviving sync.Mutex
	answers  answers

	mu          sync.Mutex
	current     string // the case before which the driver last answered
	stopped     string // since when the driver has not answered; empty while it answers
	cut         []Cut  // the calls whose connection broke since the driver last answered a repeated call
	left        []ledger.Entry
	unexplained [][]Cut
	ended       []Cut
}

// Leave records the objects that a case could not remove.
func (h *Health) Leave(entries []ledger.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, entries...)
}

// HasLeft reports whether cases have left anything that the RPC removes.
func (h *Health) HasLeft(method string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.left, func(e ledger.Entry) bool { return e.By == method })
}

// Unanswered returns the number of objects of the kind that requests may have made whose answers never came.
func (h *Health) Unanswered(kind own.Kind) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	count := 0
	for _, e := range h.left {
		if strings.HasPrefix(e.What, string(kind)+ledger.Named) {
			count++
		}
	}
	return count
}

// TakeLeft returns the objects that cases could not remove, and assumes that the driver answers again.
func (h *Health) TakeLeft() []ledger.Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.left
	h.left, h.stopped, h.cut = nil, "", nil
	return left
}

// Begin records that the driver answered at the beginning of the case.
func (h *Health) Begin(caseID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current = caseID
}

// Running returns the case before which the driver last answered.
func (h *Health) Running() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current
}

// StaysUp is the id of the case that reports which call the driver may have died of, if that is not known.
const StaysUp = "run_stays_up"

// Stop records that the driver does not answer the call any more, and returns the calls that were in flight when it
// stopped. Only the first caller gets these calls.
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

// Ended returns the calls that were in flight when the driver stopped answering, or none while it answers.
func (h *Health) Ended() []Cut {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.ended)
}

// Revive restarts the driver, unless another goroutine has done so and it answers.
func (h *Health) Revive(answers func() bool, restart func() error) error {
	h.reviving.Lock()
	defer h.reviving.Unlock()
	if answers() {
		return nil
	}
	return restart()
}

// StoppedSince describes in a sentence since when the driver has not answered. It is empty while the driver answers.
func (h *Health) StoppedSince() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopped
}

// MustAnswer leaves the case out if the driver has stopped answering.
func (h *Health) MustAnswer() {
	if why := h.StoppedSince(); why != "" {
		suite.LeaveOut("%s", why)
	}
}

// Gone records that the driver has not answered since the case restarted it.
func (h *Health) Gone(caseID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped == "" {
		h.stopped = fmt.Sprintf("the driver has not answered since it was restarted: see the case %s", caseID)
	}
}
