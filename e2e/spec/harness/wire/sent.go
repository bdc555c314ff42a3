// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"

	"google.golang.org/grpc/stats"
)

type whenSentKey struct{}

// WhenSent returns a context whose calls run do once their request is sent, on connections that Dial makes.
func WhenSent(ctx context.Context, do func()) context.Context {
	return context.WithValue(ctx, whenSentKey{}, do)
}

// sending handles gRPC's events of calls.
type sending struct{}

// HandleRPC runs the function of WhenSent.
func (sending) HandleRPC(ctx context.Context, event stats.RPCStats) {
	if _, sent := event.(*stats.OutPayload); !sent {
		return
	}
	if do, found := ctx.Value(whenSentKey{}).(func()); found {
		do()
	}
}

// TagRPC returns the context unchanged.
func (sending) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// TagConn returns the context unchanged.
func (sending) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn does nothing: events of connections do not matter.
func (sending) HandleConn(context.Context, stats.ConnStats) {}
