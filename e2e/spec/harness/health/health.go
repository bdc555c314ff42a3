// SPDX-License-Identifier: Apache-2.0

// Package health knows whether the driver still answers, and what cases could not remove from it.
package health

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Health is whether the driver still answers, and what cases could not remove from it, for all cases of a run.
type Health struct {
	Patience effect.Patience
	// Lingers is set once it was said that what is deleted is still listed.
	Lingers atomic.Bool
	// LimitsRates is set once a call that needs no room was RESOURCE_EXHAUSTED, and was answered otherwise when it was
	// repeated.
	LimitsRates atomic.Bool
	// Held is set once the driver kept on saying that something is in use which no case uses any more.
	Held atomic.Bool
	// KeptConnections is set once a connection outlived a restart.
	KeptConnections atomic.Bool

	mu      sync.Mutex
	current string // the case that the driver last answered at the beginning of
	stopped string // says since when it does not answer any more; empty while it does
	cut     []Cut  // the calls whose connection broke since it last answered one that was repeated
	left    []ledger.Entry
	vain    map[string]bool // the RPCs, with the code, that were repeated in vain until their limit
}

// NoteVain keeps that repeating a call with the status was in vain.
func (h *Health) NoteVain(method string, last error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.vain == nil {
		h.vain = map[string]bool{}
	}
	h.vain[method+status.Code(last).String()] = true
}

// IsVain reports whether a call has been repeated for long enough where that was in vain for another with the same status:
// a driver that never ends some calls would take hours otherwise.
func (h *Health) IsVain(method string, last error, taken, limit time.Duration) bool {
	const part = 50 // of the limit
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.vain[method+status.Code(last).String()] && taken > limit/part
}

// Leave keeps what a case could not remove.
func (h *Health) Leave(entries []ledger.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, entries...)
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

// Stop says that the driver does not answer the call any more. The first to say so is told all calls that were under way
// when it stopped.
func (h *Health) Stop(call Cut) (underWay []Cut, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped != "" {
		return nil, false
	}
	if len(h.cut) == 0 {
		h.cut = []Cut{call}
	}
	h.stopped = "the driver does not answer"
	if call.CaseID != "" {
		h.stopped = fmt.Sprintf("the driver has stopped answering: see the failure of the case %s", call.CaseID)
	}
	return h.cut, true
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
