// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/trace"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// perform makes one call, and repeats it as the sidecars do while the driver answers ABORTED, DEADLINE_EXCEEDED or
// UNAVAILABLE, until the limit for calls of its kind, or while a deletion lingers. Where that leaves no answer to judge, the
// error is a *noAnswer. RESOURCE_EXHAUSTED, which may be said of the rate of calls, is repeated too, and is the answer in
// the end.
func (c connection) perform(ctx context.Context, method string, request, response any, opts []grpc.CallOption) error {
	const fewest = 4 // times that RESOURCE_EXHAUSTED is answered before it is believed, however long a call takes
	limit := limitOf(c.driver.Target.Timeouts, request)
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	delays := attempt.Backoff(limit)
	if attempt.IsBreaking(ctx) {
		_, err := c.attempt(bounded, method, request, response, opts)
		return err
	}
	var last error // that the driver answered
	begin := time.Now()
	for broken, attempts := 0, 1; ; attempts++ {
		answered, err := c.attempt(bounded, method, request, response, opts)
		worth := limit
		if answered {
			noteRate(c.driver, request, last, err)
			worth = c.worthRepeating(ctx, request, err, begin, limit)
		}
		switch {
		case worth == 0:
			return err
		case ctx.Err() != nil:
			return attempt.Interrupted(method, err)
		case answered:
			last = err
		case bounded.Err() != nil && last != nil:
			// The limit cut an attempt short that had only just begun.
		default:
			broken++
			if statuses.BrokenConnection(err) && !statuses.NeverConnected(err) {
				c.driver.health.NoteCut(health.Cut{CaseID: runs(c.driver), RPC: describeCall(method, request), Endpoint: c.name, Err: err})
			}
			if silence := c.silence(ctx, method, request, err, bounded.Err() != nil, broken); silence != nil {
				return silence
			}
			c.driver.broken.CompareAndSwap(nil, &health.Breakage{RPC: describeCall(method, request), Endpoint: c.name, Err: err})
			if attempt.IsUnbroken(ctx) {
				return &attempt.NoAnswer{Last: err, Fails: true, Text: c.driver.broken.Load().String()}
			}
			if attempt.IsOnce(ctx, status.Code(err)) {
				return err
			}
			last = err
		}
		exhausted := status.Code(last) == codes.ResourceExhausted
		taken := time.Since(begin)
		enough := taken > worth || c.driver.health.IsVain(method, last, taken, worth)
		if enough && (!exhausted || attempts >= fewest) || attempt.Pause(bounded, delays.Step()) != nil {
			if ctx.Err() != nil {
				return attempt.Interrupted(method, last)
			}
			c.driver.health.NoteVain(method, last)
			if exhausted {
				return last
			}
			return &attempt.NoAnswer{Last: last, Pending: true, Text: fmt.Sprintf("%s at %s did not succeed within %s; the last status was %s",
				path.Base(method), c.name, time.Since(begin).Round(time.Millisecond), describe.Status(last))}
		}
	}
}

// worthRepeating is for how long a call is repeated after the answer, counted from its beginning; 0 where the answer stands.
func (c connection) worthRepeating(ctx context.Context, request any, err error, begin time.Time, limit time.Duration) time.Duration {
	switch code := status.Code(err); {
	case attempt.IsOnce(ctx, code):
		return 0
	case statuses.Transient(code) || lingers(c.driver, request, err, begin):
		return limit
	case code == codes.ResourceExhausted:
		return whileExhausted(ctx, c.driver, request, limit)
	default:
		return 0
	}
}

// attempt makes a call once, and reports whether it was answered.
func (c connection) attempt(ctx context.Context, method string, request, response any, opts []grpc.CallOption) (answered bool, err error) {
	var header, trailer metadata.MD
	begin := time.Now()
	err = c.ClientConnInterface.Invoke(ctx, method, request, response, append([]grpc.CallOption{grpc.Header(&header), grpc.Trailer(&trailer)}, opts...)...)
	err = readable(c, method, err)
	if !attempt.IsUnrecorded(ctx) {
		c.driver.calls.Add(wire.Call{Endpoint: c.name, Method: method, Request: request, Response: response, Err: err, Took: time.Since(begin)}, c.driver.Room.Segments)
	}
	noteAnswered(c.driver, c.node(), request, response, err)
	if err == nil {
		c.driver.Made.Answered(request, response)
	}
	if err == nil || len(header)+len(trailer) > 0 {
		return true, err
	}
	switch status.Code(err) {
	case codes.Canceled, codes.DeadlineExceeded:
		return ctx.Err() == nil, err
	default:
		return !statuses.BrokenConnection(err), err
	}
}

// silence is the error for a call that was not answered. It is nil where the call may be repeated: the connection broke
// for the first time, and the driver answers again.
func (c connection) silence(ctx context.Context, method string, request any, err error, late bool, broken int) error {
	rpc := describeCall(method, request)
	restart := c.driver.Target.Timeouts.Restart
	switch lives := c.lives(ctx); {
	case ctx.Err() != nil:
		return attempt.Interrupted(method, err)
	case !lives:
		calls, first := c.driver.health.Stop(health.Cut{CaseID: runs(c.driver), RPC: rpc, Endpoint: c.name, Err: err})
		if !first {
			return &attempt.NoAnswer{Last: err, Text: c.driver.health.StoppedSince()} // another case has found it out
		}
		return &attempt.NoAnswer{Last: err, Fails: true, Text: fmt.Sprintf(
			"%s\nIts Identity service there did not answer within %s. A call that cannot be completed returns a status that is not OK (GEN-08)",
			health.During(calls), restart)}
	case late:
		return &attempt.NoAnswer{Last: err, Fails: true, Text: fmt.Sprintf(
			"%s at %s was not answered within its limit, though the Identity service there answers. A call that cannot be completed returns a status that is not OK (GEN-08); if the driver needs more time, raise the limit in the profile's timeouts",
			rpc, c.name)}
	case broken > 1:
		return &attempt.NoAnswer{Last: err, Fails: true, Text: fmt.Sprintf(
			"the driver's process ended, or closed the connection, during %s at %s, and again when the call was repeated: %s\nA call that cannot be completed returns a status that is not OK (GEN-08)",
			rpc, c.name, describe.Status(err))}
	default:
		c.driver.health.NoteAnswer()
		return nil
	}
}

// describeCall is the RPC with its request, as the calls of the report have it.
func describeCall(method string, request any) string {
	const longest = 400
	sent, _ := request.(proto.Message)
	text, _ := trace.Recorded(sent, longest, nil)
	return strings.TrimSpace(path.Base(method) + " " + foreign.Cut(string(text), longest))
}

// lives reports whether the Identity service of the endpoint answers, within the time that a driver takes to be restarted.
func (c connection) lives(ctx context.Context) bool {
	restart := c.driver.Target.Timeouts.Restart
	ctx, cancel := context.WithTimeout(ctx, restart)
	defer cancel()
	delays := attempt.Backoff(restart)
	for {
		answered, _ := c.attempt(ctx, csi.Identity_GetPluginInfo_FullMethodName, &csi.GetPluginInfoRequest{}, &csi.GetPluginInfoResponse{},
			[]grpc.CallOption{grpc.WaitForReady(true)})
		if answered {
			return true
		}
		if attempt.Pause(ctx, delays.Step()) != nil {
			return false
		}
	}
}

// connection is one of the target's for one case: its calls have limits, are repeated, are recorded, and are entered in
// the ledger.
type connection struct {
	grpc.ClientConnInterface
	name   string
	driver *Driver
}

// node is the node at the other end, nil for the controller.
func (c connection) node() *Node {
	for _, node := range c.driver.Nodes {
		if node.name == c.name {
			return node
		}
	}
	return nil
}
