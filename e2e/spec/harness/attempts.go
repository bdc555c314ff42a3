// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// perform makes one call, and repeats it as the sidecars do while the driver answers ABORTED, DEADLINE_EXCEEDED or
// UNAVAILABLE, until the limit for calls of its kind, or while a deletion lingers. Where that leaves no answer to judge, the
// error is a *noAnswer. RESOURCE_EXHAUSTED, which may be said of the rate of calls, is repeated too, and is the answer in
// the end.
func (c connection) perform(ctx context.Context, method string, request, response any, opts []grpc.CallOption) error {
	const fewest = 4 // times that RESOURCE_EXHAUSTED is answered before it is believed, however long a call takes
	limit := limitOf(c.driver.target.Timeouts, request)
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	delays := backoff(limit)
	if isBreaking(ctx) {
		_, err := c.attempt(bounded, method, request, response, opts)
		return err
	}
	var last error // that the driver answered
	begin := time.Now()
	for broken, attempts := 0, 1; ; attempts++ {
		answered, err := c.attempt(bounded, method, request, response, opts)
		worth := limit
		if answered {
			c.noteRate(request, last, err)
			worth = c.worthRepeating(ctx, request, err, begin, limit)
		}
		switch {
		case worth == 0:
			return err
		case ctx.Err() != nil:
			return interrupted(method, err)
		case answered:
			last = err
		case bounded.Err() != nil && last != nil:
			// The limit cut an attempt short that had only just begun.
		default:
			broken++
			if brokenConnection(err) && !neverConnected(err) {
				c.driver.health.noteCut(cutCall{c.driver.runs(), describeCall(method, request), c.name, err})
			}
			if silence := c.silence(ctx, method, request, err, bounded.Err() != nil, broken); silence != nil {
				return silence
			}
			c.driver.broken.CompareAndSwap(nil, &breakage{describeCall(method, request), c.name, err})
			if ctx.Value(unbroken{}) != nil {
				return &noAnswer{error: err, fails: true, text: c.driver.broken.Load().String()}
			}
			if isOnce(ctx, status.Code(err)) {
				return err
			}
			last = err
		}
		exhausted := status.Code(last) == codes.ResourceExhausted
		taken := time.Since(begin)
		enough := taken > worth || c.driver.health.isVain(method, last, taken, worth)
		if enough && (!exhausted || attempts >= fewest) || pause(bounded, delays.Step()) != nil {
			if ctx.Err() != nil {
				return interrupted(method, last)
			}
			c.driver.health.noteVain(method, last)
			if exhausted {
				return last
			}
			return &noAnswer{error: last, pending: true, text: fmt.Sprintf("%s at %s did not succeed within %s; the last status was %s",
				path.Base(method), c.name, time.Since(begin).Round(time.Millisecond), Describe(last))}
		}
	}
}

// worthRepeating is for how long a call is repeated after the answer, counted from its beginning; 0 where the answer stands.
func (c connection) worthRepeating(ctx context.Context, request any, err error, begin time.Time, limit time.Duration) time.Duration {
	switch code := status.Code(err); {
	case isOnce(ctx, code):
		return 0
	case Transient(code) || c.lingers(request, err, begin):
		return limit
	case code == codes.ResourceExhausted:
		return c.whileExhausted(ctx, request, limit)
	default:
		return 0
	}
}

// pause waits, and fails when the context ends before.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt makes a call once, and reports whether it was answered.
func (c connection) attempt(ctx context.Context, method string, request, response any, opts []grpc.CallOption) (answered bool, err error) {
	var header, trailer metadata.MD
	begin := time.Now()
	err = c.ClientConnInterface.Invoke(ctx, method, request, response, append([]grpc.CallOption{grpc.Header(&header), grpc.Trailer(&trailer)}, opts...)...)
	if !isUnrecorded(ctx) {
		c.driver.calls.add(callOf(c.name, method, request, response, err, time.Since(begin)))
	}
	c.driver.ledger.answered(c.node(), request, response, err)
	if err == nil {
		c.driver.made.answered(request, response)
	}
	if err == nil || len(header)+len(trailer) > 0 {
		return true, err
	}
	switch status.Code(err) {
	case codes.Canceled, codes.DeadlineExceeded:
		return ctx.Err() == nil, err
	default:
		return !brokenConnection(err), err
	}
}

// silence is the error for a call that was not answered. It is nil where the call may be repeated: the connection broke
// for the first time, and the driver answers again.
func (c connection) silence(ctx context.Context, method string, request any, err error, late bool, broken int) error {
	rpc := describeCall(method, request)
	restart := c.driver.target.Timeouts.Restart
	switch lives := c.lives(ctx); {
	case ctx.Err() != nil:
		return interrupted(method, err)
	case !lives:
		calls, first := c.driver.health.stop(cutCall{c.driver.runs(), rpc, c.name, err})
		if !first {
			return &noAnswer{error: err, text: c.driver.health.stoppedSince()} // another case has found it out
		}
		return &noAnswer{error: err, fails: true, text: fmt.Sprintf(
			"%s\nIts Identity service there did not answer within %s. A call that cannot be completed returns a status that is not OK (GEN-08)",
			during(calls), restart)}
	case late:
		return &noAnswer{error: err, fails: true, text: fmt.Sprintf(
			"%s at %s was not answered within its limit, though the Identity service there answers. A call that cannot be completed returns a status that is not OK (GEN-08); if the driver needs more time, raise the limit in the profile's timeouts",
			rpc, c.name)}
	case broken > 1:
		return &noAnswer{error: err, fails: true, text: fmt.Sprintf(
			"the driver's process ended, or closed the connection, during %s at %s, and again when the call was repeated: %s\nA call that cannot be completed returns a status that is not OK (GEN-08)",
			rpc, c.name, Describe(err))}
	default:
		c.driver.health.noteAnswer()
		return nil
	}
}

// describeCall is the RPC with its request, as the calls of the report have it.
func describeCall(method string, request any) string {
	const longest = 400
	text := string(trace.Sanitized(copyOf(request)))
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return strings.TrimSpace(path.Base(method) + " " + text)
}

// lives reports whether the Identity service of the endpoint answers, within the time that a driver takes to be restarted.
func (c connection) lives(ctx context.Context) bool {
	restart := c.driver.target.Timeouts.Restart
	ctx, cancel := context.WithTimeout(ctx, restart)
	defer cancel()
	delays := backoff(restart)
	for {
		answered, _ := c.attempt(ctx, csi.Identity_GetPluginInfo_FullMethodName, &csi.GetPluginInfoRequest{}, &csi.GetPluginInfoResponse{},
			[]grpc.CallOption{grpc.WaitForReady(true)})
		if answered {
			return true
		}
		if pause(ctx, delays.Step()) != nil {
			return false
		}
	}
}

// backoff is how long to wait before each repetition within the limit.
func backoff(limit time.Duration) wait.Backoff {
	const (
		first, longest         = 20 * time.Millisecond, 5 * time.Second
		firstPart, longestPart = 100, 10 // of a short limit
		factor, jitter, steps  = 1.6, 0.1, 100
	)
	return wait.Backoff{
		Duration: min(first, limit/firstPart),
		Factor:   factor,
		Jitter:   jitter,
		Steps:    steps,
		Cap:      min(longest, limit/longestPart),
	}
}

// Transient reports whether the sidecars repeat a call that was refused with the code, and the same request.
func Transient(code codes.Code) bool {
	switch code {
	case codes.Aborted, codes.DeadlineExceeded, codes.Unavailable:
		return true
	default:
		return false
	}
}

// MayPass reports whether a call that was refused with the code may be answered otherwise when it is repeated: the code is
// Transient, or that for a limit of rates, which is also that for want of room.
func MayPass(code codes.Code) bool {
	return Transient(code) || code == codes.ResourceExhausted
}

// brokenConnection reports whether gRPC itself says that the connection broke, or that nobody listens. A driver may
// answer UNAVAILABLE as well.
func brokenConnection(err error) bool {
	failed := status.Convert(err)
	if failed.Code() != codes.Unavailable {
		return false
	}
	for _, said := range []string{"connection error", "connection refused", "error reading from server", "transport is closing", "connection is draining", "closing transport", "server preface", "keepalive ping failed"} {
		if strings.Contains(failed.Message(), said) {
			return true
		}
	}
	return false
}

// neverConnected reports whether nobody listened, so that the call reached no driver.
func neverConnected(err error) bool {
	return strings.Contains(status.Convert(err).Message(), "Error while dialing")
}

// breakage is a call during which the connection broke, and which was answered when it was repeated.
type breakage struct {
	rpc, endpoint string
	err           error
}

// noAnswer is the error of a call without an answer to judge.
type noAnswer struct {
	error      // the status that ended the last attempt
	fails bool // the driver has failed the case, for it died or never answered
	// pending says that it always answered, and by codes for which a call is repeated.
	pending bool
	text    string
}

// GRPCStatus is the status that ended the last attempt.
func (n *noAnswer) GRPCStatus() *status.Status { return status.Convert(n.error) }

// Unwrap is the same as an error.
func (n *noAnswer) Unwrap() error { return n.error }

func interrupted(method string, err error) error {
	return &noAnswer{error: err, text: fmt.Sprintf("%s was interrupted: %v", path.Base(method), err)}
}

// mustBeAnswered ends the case where the error says that a call has no answer to judge.
func mustBeAnswered(err error) {
	var none *noAnswer
	if errors.As(err, &none) {
		none.end()
	}
}
