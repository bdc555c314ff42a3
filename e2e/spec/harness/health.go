// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// health is whether the driver still answers, and what cases could not remove from it, for all cases of a run.
type health struct {
	patience patience
	// lingers is set once it was said that what is deleted is still listed.
	lingers atomic.Bool
	// limitsRates is set once a call that needs no room was RESOURCE_EXHAUSTED, and was answered otherwise when it was
	// repeated.
	limitsRates atomic.Bool
	// held is set once the driver kept on saying that something is in use which no case uses any more.
	held atomic.Bool
	// keptConnections is set once a connection outlived a restart.
	keptConnections atomic.Bool

	mu      sync.Mutex
	current string    // the case that the driver last answered at the beginning of
	stopped string    // says since when it does not answer any more; empty while it does
	cut     []cutCall // the calls whose connection broke since it last answered one that was repeated
	left    []entry
	vain    map[string]bool // the RPCs, with the code, that were repeated in vain until their limit
}

// noteVain keeps that repeating a call with the status was in vain.
func (h *health) noteVain(method string, last error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.vain == nil {
		h.vain = map[string]bool{}
	}
	h.vain[method+status.Code(last).String()] = true
}

// isVain reports whether a call has been repeated for long enough where that was in vain for another with the same status:
// a driver that never ends some calls would take hours otherwise.
func (h *health) isVain(method string, last error, taken, limit time.Duration) bool {
	const part = 50 // of the limit
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.vain[method+status.Code(last).String()] && taken > limit/part
}

// leave keeps what a case could not remove.
func (h *health) leave(entries []entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, entries...)
}

// takeLeft returns what cases could not remove, and takes the driver for one that answers again.
func (h *health) takeLeft() []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.left
	h.left, h.stopped, h.cut = nil, "", nil
	return left
}

// begin says that the driver answered at the beginning of the case.
func (h *health) begin(caseID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current = caseID
}

// stop says that the driver does not answer the call any more. The first to say so is told all calls that were under way
// when it stopped.
func (h *health) stop(call cutCall) (underWay []cutCall, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped != "" {
		return nil, false
	}
	if len(h.cut) == 0 {
		h.cut = []cutCall{call}
	}
	h.stopped = "the driver does not answer"
	if call.caseID != "" {
		h.stopped = fmt.Sprintf("the driver has stopped answering: see the failure of the case %s", call.caseID)
	}
	return h.cut, true
}

// stoppedSince says in a sentence since when the driver does not answer any more; nothing while it does.
func (h *health) stoppedSince() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopped
}

// mustAnswer leaves the case out when the driver has stopped answering.
func (h *health) mustAnswer() {
	if why := h.stoppedSince(); why != "" {
		suite.LeaveOut("%s", why)
	}
}

// RemoveLeftovers tries once more to remove what cases could not remove, after the last of them. It returns how many
// things it removed, and names those that are left for somebody else to remove.
func (s *Suite) RemoveLeftovers(ctx context.Context) (removed int, left []string) {
	end := time.Now().Add(s.target.Timeouts.Cleanup)
	for _, e := range slices.Backward(s.health.takeLeft()) {
		err := errors.New("there was no time left to remove it")
		if time.Now().Before(end) {
			err = e.undo(Tolerant(ctx))
		}
		if err != nil {
			left = append(left, stuck(e, err).Error())
			continue
		}
		removed++
	}
	return removed, left
}

// runs is the case whose calls these are.
func (d *Driver) runs() string {
	d.health.mu.Lock()
	defer d.health.mu.Unlock()
	return cmp.Or(d.caseID, d.health.current)
}

// noteSilence keeps the first error by which the driver fails the case, wherever it comes from.
func (d *Driver) noteSilence(err error) {
	var none *noAnswer
	if errors.As(err, &none) && none.fails {
		d.silent.CompareAndSwap(nil, none)
	}
}

// mustNotBeSilent fails the case if the driver died of one of its calls, or never answered it, though the caller did not
// say so.
func (d *Driver) mustNotBeSilent() {
	if none := d.silent.Load(); none != nil {
		none.end()
	}
}

// mustHaveAnswered fails the case like mustNotBeSilent, and warns of a connection that broke once.
func (d *Driver) mustHaveAnswered(ctx context.Context) {
	d.mustNotBeSilent()
	if broken := d.broken.Load(); broken != nil {
		suite.Warn(ctx, "GEN-08", "%s\nIt answered when the call was repeated", broken)
	}
}

// noteBreakage adds to the end of a case that the connection broke once: a driver that was started again may have
// forgotten what the case did before.
func (d *Driver) noteBreakage(end *suite.Mark) {
	if broken := d.broken.Load(); broken != nil {
		end.Message += fmt.Sprintf("\nBefore that, %s (GEN-08). A driver that was started again may answer otherwise", broken)
	}
}

// String says it in a clause of a sentence.
func (b *breakage) String() string {
	return fmt.Sprintf("the driver's process ended, or closed the connection, during %s at %s: %s", b.rpc, b.endpoint, Describe(b.err))
}

// end ends the case.
func (n *noAnswer) end() {
	if n.fails {
		suite.Fail("GEN-08", "%s", n.text)
	}
	suite.CouldNotTell("%s", n.text)
}
