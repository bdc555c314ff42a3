// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"k8s.io/klog/v2"
)

// observed is a stream that keeps and checks its request, the only message from the client, when the handler reads it.
type observed struct {
	grpc.ServerStream
	ctx     context.Context
	request any
	check   func(request any) error // nil lets any request pass
}

// Context returns the context with the values that the interceptor added.
func (o *observed) Context() context.Context { return o.ctx }

// RecvMsg reads the request, and returns the error of the check.
func (o *observed) RecvMsg(into any) error {
	if err := o.ServerStream.RecvMsg(into); err != nil {
		return err
	}
	o.request = into
	if o.check == nil {
		return nil
	}
	return o.check(into)
}

// logStreamsTo does what logTo does, for streaming calls, whose messages are not logged.
func logStreamsTo(logger klog.Logger) grpc.StreamServerInterceptor {
	return func(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
		logger := logger.WithValues("method", info.FullMethod)
		start := time.Now()
		seen := &observed{ServerStream: stream, ctx: klog.NewContext(stream.Context(), logger)}
		if err := handle(server, seen); err != nil {
			err = shortStatus(err)
			logger.Info("call refused",
				"request", loggable(seen.request),
				"code", status.Code(err).String(),
				"reason", status.Convert(err).Message(),
				"took", time.Since(start))
			return err
		}
		if logger := logger.V(5); logger.Enabled() {
			logger.Info("call answered", "request", loggable(seen.request), "took", time.Since(start))
		}
		return nil
	}
}

// RequireSecretsOfStreams does what RequireSecrets does, for streaming calls.
func RequireSecretsOfStreams(required func(rpc string) map[string]string) grpc.StreamServerInterceptor {
	return func(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
		return handle(server, &observed{ServerStream: stream, ctx: stream.Context(), check: func(request any) error {
			return checkSecrets(info.FullMethod, request, required)
		}})
	}
}
