// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"path"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/trace"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// worthRepeating returns for how long a call with this answer is repeated, counted from its beginning. It is 0 if the
// answer is final.
func (c connection) worthRepeating(ctx context.Context, method string, request any, err error, begin time.Time, limit time.Duration) time.Duration {
	switch code := status.Code(err); {
	case attempt.IsOnce(ctx, code):
		return 0
	case statuses.Transient(code) && isRefused(c.driver, request):
		return min(limit, whileRefused(c.driver, method, err))
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
	inJournal := c.remember(method, request)
	c.driver.health.Answers.Asked(request.(proto.Message))
	begin := time.Now()
	opts = append([]grpc.CallOption{grpc.Header(&header), grpc.Trailer(&trailer)}, opts...)
	if s, isStream := response.(*streamed); isStream {
		s.messages, err = wire.Collect(ctx, c.ClientConnInterface, method, request.(proto.Message), opts...)
		c.noteFlaws(method, request, s.messages...)
		response = wire.Merged(s.messages)
	} else if err = c.ClientConnInterface.Invoke(ctx, method, request, response, opts...); err == nil {
		c.noteFlaws(method, request, response.(proto.Message))
	}
	err = readable(c, method, err)
	if !attempt.IsUnrecorded(ctx) {
		c.driver.calls.Add(wire.Call{Endpoint: c.name, Method: method, Request: request, Response: response, Err: err, Took: time.Since(begin)}, c.driver.Room.Segments)
	}
	noteAnswered(c.driver, c.node(), request, response, err)
	inJournal(response, err)
	c.noteImproper(method, request, err)
	c.noteRefused(method, request, err)
	if err == nil && isOwn(c.driver, response) {
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

// streamed is the answer to a call that returns a stream.
type streamed struct{ messages []proto.Message }

// NewStream makes a call like any other, and passes its messages on once the stream has ended.
func (c connection) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return wire.Stream(ctx, func(ctx context.Context, request proto.Message) ([]proto.Message, error) {
		answer := &streamed{}
		err := c.Invoke(ctx, method, request, answer, opts...)
		return answer.messages, err
	}), nil
}

// describeCall returns the RPC with its request, in the form that calls have in the report.
func describeCall(method string, request any) string {
	const longest = 400
	sent, _ := request.(proto.Message)
	text, _ := trace.Recorded(sent, longest, nil)
	return strings.TrimSpace(path.Base(method) + " " + foreign.Cut(string(text), longest))
}

// connection is a connection of the target for one case: it limits, repeats and records the calls, and enters them in
// the ledger.
type connection struct {
	grpc.ClientConnInterface
	name   string
	driver *Driver
}

// node returns the node at the other end, or nil for the controller.
func (c connection) node() *Node {
	for _, node := range c.driver.Nodes {
		if node.name == c.name {
			return node
		}
	}
	return nil
}
