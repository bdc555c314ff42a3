// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// forward forwards one call, and records it. Rules see its first request only.
func (p *Proxy) forward(ctx context.Context, driver *grpc.ClientConn, driverGone *atomic.Bool, caller grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(caller)
	c := &forwarding{proxy: p, caller: caller, record: exchange{method: method, began: time.Now()}}
	err := c.perform(ctx, driver)
	if driverGone.Load() && status.Code(err) == codes.Canceled {
		// The caller's connection is closed because the driver closed its own, which cuts its calls.
		err = status.Error(codes.Unavailable, "the driver closed the connection")
	}
	answer := status.Convert(err)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.record.took = time.Since(c.record.began)
	c.record.code, c.record.message = answer.Code(), answer.Message()
	p.Recorder.add(c.record)
	return err
}

// forwarding is one call in flight.
type forwarding struct {
	proxy  *Proxy
	caller grpc.ServerStream

	mu     sync.Mutex // requests and responses arrive concurrently
	record exchange
}

func (c *forwarding) perform(ctx context.Context, driver *grpc.ClientConn) error {
	first := &frame{}
	begun := c.caller.RecvMsg(first)
	if begun != nil && !errors.Is(begun, io.EOF) {
		return begun
	}
	if begun == nil {
		c.addRequest(first)
	}
	rule := c.proxy.Rules.take(c.record.method, func() json.RawMessage {
		return Sanitized(decode(messagesOf(c.record.method).request, first.data))
	})
	if rule == nil {
		return c.exchange(ctx, driver, first, begun, c.caller)
	}
	return c.inject(ctx, driver, first, begun, rule)
}

// sink receives the driver's answer.
type sink interface {
	SetHeader(metadata.MD) error
	SetTrailer(metadata.MD)
	SendMsg(any) error
}

// exchange calls the driver with the first request and the following ones, and passes the driver's answers to the sink as
// they arrive.
func (c *forwarding) exchange(ctx context.Context, driver *grpc.ClientConn, first *frame, begun error, to sink) error {
	if driver == nil {
		return status.Error(codes.Unimplemented, "csi-topo proxy: it has no driver, and no rule answers this call")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if sent, ok := metadata.FromIncomingContext(ctx); ok {
		ctx = metadata.NewOutgoingContext(ctx, sent.Copy())
	}
	both := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := grpc.NewClientStream(ctx, both, driver, c.record.method)
	if err != nil {
		return err
	}
	go c.sendRequests(stream, first, begun, cancel)
	for headerSent := false; ; {
		response := &frame{}
		err := stream.RecvMsg(response)
		if !headerSent {
			if header, headerErr := stream.Header(); headerErr == nil {
				_ = to.SetHeader(header) // fails only if one was sent before
			}
			headerSent = true
		}
		if err != nil {
			to.SetTrailer(stream.Trailer())
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := to.SendMsg(response); err != nil {
			return err
		}
		if to == sink(c.caller) {
			c.addResponse(response)
		}
	}
}

// sendRequests sends the first request and the caller's further requests.
func (c *forwarding) sendRequests(stream grpc.ClientStream, request *frame, err error, cancel context.CancelFunc) {
	for {
		if errors.Is(err, io.EOF) {
			_ = stream.CloseSend() // RecvMsg returns its error
			return
		}
		if err != nil {
			cancel()
			return
		}
		if stream.SendMsg(request) != nil {
			return // RecvMsg returns the reason
		}
		request = &frame{}
		if err = c.caller.RecvMsg(request); err == nil {
			c.addRequest(request)
		}
	}
}

// keptMessages is the maximum number of recorded messages in each direction of a stream.
const keptMessages = 16

func (c *forwarding) addRequest(f *frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.record.requests) < keptMessages {
		c.record.requests = append(c.record.requests, f.data)
	}
}

func (c *forwarding) addResponse(f *frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.record.responses) < keptMessages {
		c.record.responses = append(c.record.responses, f.data)
	}
}

// wait waits for the duration, or until the rule is removed or the caller gives up.
func (c *forwarding) wait(ctx context.Context, duration Duration, rule *activeRule) error {
	if duration == 0 {
		return nil
	}
	timer := time.NewTimer(time.Duration(duration))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-rule.removed:
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
	return nil
}

// outcome returns the status that the caller gets from a rule.
func outcome(rule Rule) error {
	code, err := codeNamed(rule.Code)
	if err != nil {
		code = codes.Internal // Validate refuses such a rule
	}
	return status.Error(code, rule.Message)
}
