// SPDX-License-Identifier: Apache-2.0

package together

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// history records the calls of concurrent clients about one object, and the answers. S is the state of a sequential model of
// the object.
type history[S comparable] struct {
	driver *harness.Driver
	// of names the object, and first is its state before the first call.
	of    string
	first S

	begun time.Time
	mu    sync.Mutex // guards the following fields
	calls []*call[S]
	errs  []error
}

// effect returns the possible states after a call; none if the call cannot have been answered this way. A strict effect is
// the recommended one, and the other one the required one.
type effect[S comparable] func(before S, strict bool) []S

// call is one attempt of one client.
type call[S comparable] struct {
	client      int
	asked       string
	from, until time.Duration // since the history began
	answer[S]
	// open is the effect that the call may have while it is not answered.
	open effect[S]
}

// answer is the answer to a call.
type answer[S comparable] struct {
	text string
	// means is the effect of a call with this answer. It is nil if the answer leaves open whether the call has an
	// effect, at any time after it has begun, even when it has been repeated.
	means effect[S]
	// clause is the clause that the answer contradicts if it must not be, and regretted the clause that it goes against
	// if it should not be.
	clause, regretted string
}

// never is the time by which a call without a clear answer takes effect at the latest.
const never = time.Duration(math.MaxInt64)

func newHistory[S comparable](driver *harness.Driver, of string, first S) *history[S] {
	return &history[S]{driver: driver, of: of, first: first, begun: time.Now()}
}

// make makes a call once, records it, and reports whether the answer shows its effect. An answer without means leaves that
// open.
func (h *history[S]) make(client int, asked string, open effect[S], perform func() (answer[S], error)) (settled bool) {
	from := time.Since(h.begun)
	got, err := perform()
	until := time.Since(h.begun)
	if got.means == nil {
		until = never
		got.text = cmp.Or(got.text, describe.Status(err))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, &call[S]{client, asked, from, until, got, open})
	if err != nil && got.means == nil {
		h.errs = append(h.errs, err)
	}
	return got.means != nil
}

// atOnce lets each client make its calls, one after another, while all clients run concurrently.
func (h *history[S]) atOnce(ctx context.Context, clients ...func(ctx context.Context, client int)) {
	// Only the goroutine of the case may end the case, so a call must not.
	ctx = attempt.Once(attempt.Tolerant(ctx))
	together := make(chan struct{})
	var all sync.WaitGroup
	for i, calls := range clients {
		all.Go(func() {
			<-together
			calls(ctx, i+1)
		})
	}
	close(together)
	all.Wait()
	h.mustBeAnswered()
}

// alone is the number of the client that calls while no other does.
const alone = 0

// settle repeats a call, as a CO does, until it has a clear answer, and reports whether it has. Each attempt is a
// separate call: an earlier one may take effect after a later one.
func (h *history[S]) settle(ctx context.Context, try func(ctx context.Context, client int) (settled bool)) bool {
	const most = 12 // attempts: a rate limit has passed by then, and missing room remains
	limit := h.driver.Target.Timeouts.Provision
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	delays := attempt.Backoff(limit)
	for range most {
		if try(attempt.Once(attempt.Tolerant(ctx)), alone) {
			return true
		}
		h.mustBeAnswered()
		if attempt.Pause(bounded, delays.Step()) != nil {
			break
		}
	}
	return false
}

// mustBeAnswered ends the case if a call has no answer to judge.
func (h *history[S]) mustBeAnswered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, err := range h.errs {
		attempt.MustBeAnswered(err)
	}
}

// judge fails the case if the history fits no order of the calls in which each takes effect between its beginning and its
// end, and warns if it fits none in which the driver behaves as it should.
func (h *history[S]) judge(ctx context.Context) {
	h.warnOfRefusals(ctx)
	if part := h.misfit(false); part != nil {
		last := part[len(part)-1]
		suite.Fail(last.clause, "%s", h.describe(part))
	}
	if part := h.misfit(true); part != nil {
		last := part[len(part)-1]
		suite.Warn(ctx, last.regretted, "%s", h.describe(part))
	}
}

// warnOfRefusals warns of calls that were refused with a code that is not temporary.
func (h *history[S]) warnOfRefusals(ctx context.Context) {
	for _, err := range h.errs {
		if code := status.Code(err); !statuses.MayPass(code) && code != codes.Canceled {
			suite.Warn(ctx, "GEN-02", "concurrent calls for %s should be answered, or be ABORTED, and one was refused: %s", h.of, describe.Status(err))
		}
	}
}

// misfit returns the shortest beginning of the history that fits no order, in the order of its answers; nil if all of
// it fits. The answer of its last call does not fit.
func (h *history[S]) misfit(strict bool) []*call[S] {
	if h.fits(h.calls, strict) {
		return nil
	}
	ended := slices.SortedFunc(slices.Values(h.calls), func(a, b *call[S]) int { return cmp.Compare(a.until, b.until) })
	for i, last := range ended {
		part := slices.Clone(ended[:i+1])
		for _, later := range ended[i+1:] {
			if later.from < last.until { // its answer is not known yet
				pending := *later
				pending.until, pending.means, pending.text = never, nil, ""
				part = append(part, &pending)
			}
		}
		if !h.fits(part, strict) {
			return append(slices.DeleteFunc(part, func(c *call[S]) bool { return c == last }), last)
		}
	}
	return ended
}

// fits reports whether the history fits an order of the calls.
func (h *history[S]) fits(calls []*call[S], strict bool) bool {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{h.first} },
		Step: func(state, input, _ any) (after []any) {
			c := input.(*call[S])
			means := c.means
			if means == nil {
				means = c.open
			}
			for _, s := range means(state.(S), strict) {
				after = append(after, s)
			}
			return after
		},
	}
	var operations []porcupine.Operation
	for _, c := range calls {
		operations = append(operations, porcupine.Operation{ClientId: c.client, Input: c, Call: int64(c.from), Return: int64(c.until)})
	}
	switch porcupine.CheckOperationsTimeout(model.ToModel(), operations, h.driver.Target.Timeouts.Query) {
	case porcupine.Ok:
		return true
	case porcupine.Illegal:
		return false
	default:
		suite.CouldNotTell("cannot find out in time whether the history of %d calls for %s fits an order", len(calls), h.of)
		return false
	}
}

// describe describes the part of the history in the order in which its calls began.
func (h *history[S]) describe(part []*call[S]) string {
	last := part[len(part)-1]
	part = slices.SortedFunc(slices.Values(part), func(a, b *call[S]) int { return cmp.Compare(a.from, b.from) })
	lines := []string{fmt.Sprintf("there is no order of the calls for %s in which each takes effect between its beginning and its end, and in which the last answer is right", h.of)}
	for _, c := range part {
		who := fmt.Sprintf("client %d", c.client)
		if c.client == alone {
			who = "alone"
		}
		end, text := milliseconds(c.until), c.text
		switch {
		case c.means == nil && c.until == never && c.text != "":
			end, text = "open", text+", which leaves its effect open"
		case c.means == nil:
			end, text = "open", "not answered yet"
		case c == last:
			text += "   <- which fits no order"
		}
		lines = append(lines, fmt.Sprintf("  %s to %s, %s: %s: %s", milliseconds(c.from), end, who, c.asked, text))
	}
	return strings.Join(lines, "\n")
}

func milliseconds(since time.Duration) string {
	return fmt.Sprintf("%.3f ms", float64(since)/float64(time.Millisecond))
}

// rounds lets the clients meet several times, as long as that is quick: races show only now and then. It ends early if meet
// returns false.
func rounds(ctx context.Context, meet func() (again bool)) {
	const (
		most  = 4
		quick = 60 * time.Millisecond
	)
	begun, made := time.Now(), 0
	for range most {
		made++
		if !meet() || time.Since(begun) > quick {
			break
		}
	}
	suite.Evidence(ctx, "rounds", made)
}
