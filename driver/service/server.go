// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"slices"
	"time"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/klog/v2"
)

// stopTimeout limits how long calls in flight take to end once serving stops.
const stopTimeout = 10 * time.Second

// ServeOn serves the services that register registers, on a listener of Listen, until ctx ends. It then closes the
// listener; calls in flight may finish, new ones are refused. It logs to the logger that ctx carries. A call that panics
// gets INTERNAL. Interceptors among the options see calls before the services do.
func ServeOn(ctx context.Context, listener net.Listener, register func(*grpc.Server), options ...grpc.ServerOption) error {
	logger := klog.FromContext(ctx)
	server := grpc.NewServer(slices.Concat(
		[]grpc.ServerOption{grpc.ChainUnaryInterceptor(logTo(logger)), grpc.ChainStreamInterceptor(logStreamsTo(logger))},
		options,
		[]grpc.ServerOption{grpc.ChainUnaryInterceptor(answerPanics()), grpc.ChainStreamInterceptor(answerPanicsOfStreams())},
	)...)
	register(server)

	ended := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			stop(server)
		case <-ended:
		}
	}()

	logger.V(2).Info("serving", "socket", listener.Addr().String())
	err := server.Serve(listener)
	close(ended)
	<-stopped
	if err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serving on %s: %w", listener.Addr(), err)
	}
	return nil
}

// stop lets the calls in flight finish, and cuts them off after stopTimeout.
func stop(server *grpc.Server) {
	cutOff := time.AfterFunc(stopTimeout, server.Stop)
	defer cutOff.Stop()
	server.GracefulStop()
}

// logTo returns an interceptor that logs every failed call, and at verbosity 5 every call with its request, without
// fields that may be secret. It shortens errors to a length that clients accept.
func logTo(logger klog.Logger) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		logger := logger.WithValues("method", info.FullMethod)
		start := time.Now()
		response, err := handle(klog.NewContext(ctx, logger), request)
		if err != nil {
			err = shortStatus(err)
			logger.Info("call refused",
				"request", loggable(request),
				"code", status.Code(err).String(),
				"reason", status.Convert(err).Message(),
				"took", time.Since(start))
			return response, err
		}
		if logger := logger.V(5); logger.Enabled() {
			logger.Info("call answered",
				"request", loggable(request),
				"response", loggable(response),
				"took", time.Since(start))
		}
		return response, nil
	}
}

// answerPanics returns an interceptor that returns INTERNAL to a call that panics, and logs the stack: a bug in one call
// must not end all others.
func answerPanics() grpc.UnaryServerInterceptor {
	return recovery.UnaryServerInterceptor(recovery.WithRecoveryHandlerContext(afterPanic))
}

// answerPanicsOfStreams does what answerPanics does, for streaming calls.
func answerPanicsOfStreams() grpc.StreamServerInterceptor {
	return recovery.StreamServerInterceptor(recovery.WithRecoveryHandlerContext(afterPanic))
}

func afterPanic(ctx context.Context, panicked any) error {
	klog.FromContext(ctx).Error(nil, "call panicked", "panic", fmt.Sprint(panicked), "stack", string(debug.Stack()))
	return status.Error(codes.Internal, "internal error: the handler panicked, see the driver's log")
}
