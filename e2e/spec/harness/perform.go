// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"path"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// perform makes one call, and repeats it as the sidecars do while the driver answers ABORTED, DEADLINE_EXCEEDED or
// UNAVAILABLE, until the limit for calls of its kind, or while a deletion lingers. If that leaves no answer to judge, the
// error is a *NoAnswer. RESOURCE_EXHAUSTED, which may mean a limit on the rate of calls, is repeated too, and is the answer
// in the end; so is any answer to a call that the driver must refuse because of the case's earlier calls.
func (c connection) perform(ctx context.Context, method string, request, response any, opts []grpc.CallOption) error {
	p := performance{connection: c, method: method, request: request, limit: limitOf(c.driver.Target.Timeouts, request), aborted: true, absent: isAbsent(c.driver, c.node(), request)}
	if p.absent {
		p.limit = min(p.limit, patience(c.driver))
	}
	if attempt.IsCleaningUp(ctx) && c.driver.health.Hangs(path.Base(method)) {
		const part = 20 // a driver that never answers would take hours otherwise
		p.limit /= part
	}
	p.start()
	defer p.dismiss()
	if attempt.IsBreaking(ctx) {
		_, err := p.within(ctx, response, opts)
		return err
	}
	delays := attempt.Backoff(p.limit)
	for attempts := 1; ; attempts++ {
		answered, err := p.once(ctx, response, opts)
		worth := p.limit
		if answered {
			noteRate(c.driver, request, p.last, err)
			worth = c.worthRepeating(ctx, method, request, err, p.began, p.limit)
		}
		switch {
		case worth == 0:
			p.noteAnswer(err)
			return err
		case ctx.Err() != nil:
			return attempt.Interrupted(method, err)
		case answered && status.Code(err) == codes.DeadlineExceeded && p.nearlyLate() && p.last != nil:
			// The driver noticed the limit before its caller did.
		case answered:
			p.last, p.aborted = err, p.aborted && status.Code(err) == codes.Aborted
		case p.late() && p.last != nil:
			// The limit cut short an attempt that had only just begun.
		default:
			if silence := p.broke(ctx, err); silence != nil {
				return silence
			}
			if attempt.IsOnce(ctx, status.Code(err)) {
				return err
			}
			p.last, p.aborted = err, false
		}
		if p.enough(attempts, worth) || p.pause(ctx, delays.Step()) != nil {
			if ctx.Err() != nil {
				return attempt.Interrupted(method, p.last)
			}
			return p.vain()
		}
	}
}

// performance is one call with its repetitions.
type performance struct {
	connection
	method  string
	request any
	limit   time.Duration
	began   time.Time
	last    error // the driver's last error
	aborted bool  // every answer was ABORTED
	absent  bool  // the volume is not there, and the driver may wait for it
	// suspect is set while the driver may have died of the call.
	suspect *health.Suspect
}

// shortly is how long a call may wait before its time begins anew.
const shortly = 100 * time.Millisecond

// start begins the call's time.
func (p *performance) start() { p.began = time.Now() }

// late reports whether the call's time is over.
func (p *performance) late() bool { return time.Since(p.began) >= p.limit }

// nearlyLate reports whether the call's time is over or nearly over.
func (p *performance) nearlyLate() bool { return time.Since(p.began) >= p.limit-shortly }

// within makes an attempt that ends with the call's time.
func (p *performance) within(ctx context.Context, response any, opts []grpc.CallOption) (answered bool, err error) {
	ctx, cancel := context.WithDeadline(ctx, p.began.Add(p.limit))
	defer cancel()
	return p.attempt(ctx, p.method, p.request, response, opts)
}

// pause waits, and returns an error if the call's time is over first.
func (p *performance) pause(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithDeadline(ctx, p.began.Add(p.limit))
	defer cancel()
	return attempt.Pause(ctx, wait)
}

// dismiss records that the driver has not died of the call, or that the call is not repeated.
func (p *performance) dismiss() {
	if p.suspect != nil {
		p.driver.health.Dismiss(p.suspect)
		p.suspect = nil
	}
}

// once makes the call once. While the suite finds out which call the driver died of, it makes no other call, and that
// time does not count as the call's.
func (p *performance) once(ctx context.Context, response any, opts []grpc.CallOption) (answered bool, err error) {
	if p.suspect != nil {
		answered, err = p.within(ctx, response, opts)
		if answered {
			if attempt.IsSurveying(ctx) {
				p.driver.health.Answered(p.suspect)
			}
			p.dismiss()
		}
		return answered, err
	}
	asked := time.Now()
	leave, err := p.driver.health.Enter(ctx)
	if err != nil {
		return false, status.FromContextError(err).Err()
	}
	defer leave()
	if time.Since(asked) > shortly {
		p.start()
	}
	return p.within(ctx, response, opts)
}

// enough reports whether the call was repeated for long enough.
func (p *performance) enough(attempts int, worth time.Duration) bool {
	const fewest = 4 // times that RESOURCE_EXHAUSTED is answered before it is believed, however long a call takes
	if status.Code(p.last) == codes.ResourceExhausted && attempts < fewest {
		return false
	}
	taken := time.Since(p.began)
	return taken > worth || attempts > 1 && p.driver.health.IsVain(p.method, p.last, taken, worth)
}

// noteAnswer records that the call has an answer, and how long that took.
func (p *performance) noteAnswer(err error) {
	if !statuses.MayPass(status.Code(err)) {
		p.driver.health.NoteWorking(p.method, time.Since(p.began))
	}
}

// vain returns the result of a call that was repeated without success.
func (p *performance) vain() error {
	taken := time.Since(p.began)
	code := status.Code(p.last)
	switch {
	case code == codes.ResourceExhausted:
		p.driver.health.NoteVain(p.method, p.last, taken)
		return p.last
	case p.absent || isRefused(p.driver, p.request):
		p.driver.health.NoteRefused(p.method, p.last)
		return p.last
	}
	p.driver.health.NoteVain(p.method, p.last, taken)
	none := &attempt.NoAnswer{Last: p.last, Pending: true, Text: fmt.Sprintf("%s at %s did not succeed within %s; the last status was %s",
		path.Base(p.method), p.name, taken.Round(time.Millisecond), describe.Status(p.last))}
	if clause := idempotency(p.method); clause != "" && p.staysPending(taken) {
		none.Fails, none.Clause = true, clause
		none.Text += "\nABORTED says that an operation is pending for the volume. The case has no other call in flight, and the driver has completed operations in this run: " +
			"a call that is repeated continues where it left off. If the driver needs more time, raise provision in the profile's timeouts"
	}
	return none
}

// staysPending reports whether the driver answered only ABORTED for as long as a call may take according to the vendor,
// though it completes operations and the case has no other call in flight.
func (p *performance) staysPending(taken time.Duration) bool {
	completes := func(method string) bool { return idempotency(method) != "" }
	return p.aborted && taken >= p.limit && p.driver.underWay.Load() == 1 && p.driver.health.Completes(completes)
}

// broke handles an attempt that was not answered. The error is nil if the call may be repeated: the connection broke,
// the driver answers again, and no other call is made meanwhile.
func (p *performance) broke(ctx context.Context, err error) error {
	late := p.late()
	cut := statuses.BrokenConnection(err) && !statuses.NeverConnected(err)
	died := cut && p.suspect != nil
	broken := health.Cut{CaseID: runs(p.driver), RPC: describeCall(p.method, p.request), Endpoint: p.name, Err: err}
	switch {
	case died:
		p.driver.health.Kill(p.suspect)
	case cut:
		p.suspect = p.driver.health.Suspect(broken, isInvalid(p.request))
	}
	if silence := p.silence(ctx, broken, late, died); silence != nil || !cut {
		return silence
	}
	if p.suspect.Turn(ctx) != nil {
		return attempt.Interrupted(p.method, err)
	}
	if p.suspect.Alone() && !attempt.IsSurveying(ctx) {
		p.driver.broken.CompareAndSwap(nil, &health.Breakage{RPC: broken.RPC, Endpoint: p.name, Err: err})
		if attempt.IsUnbroken(ctx) {
			return &attempt.NoAnswer{Last: err, Fails: true, Text: p.driver.broken.Load().String()}
		}
	}
	p.start()
	return p.silence(ctx, broken, false, false) // the repetition of another call may have ended the driver again
}
