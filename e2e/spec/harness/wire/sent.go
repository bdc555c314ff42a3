// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"

	"google.golang.org/grpc/stats"
)

type whenSentKey struct{}

// WhenSent returns a context whose calls do this once their request is sent, on the connections that Dial makes.
func WhenSent(ctx context.Context, do func()) context.Context {
	return context.WithValue(ctx, whenSentKey{}, do)
}

// sending is told by gRPC what becomes of calls.
type sending struct{}

// HandleRPC does what WhenSent says.
func (sending) HandleRPC(ctx context.Context, event stats.RPCStats) {
	if _, sent := event.(*stats.OutPayload); !sent {
		return
	}
	if do, found := ctx.Value(whenSentKey{}).(func()); found {
		do()
	}
}

// TagRPC leaves the context as it is.
func (sending) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// TagConn leaves the context as it is.
func (sending) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn does nothing: connections are no calls.
func (sending) HandleConn(context.Context, stats.ConnStats) {}
