package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/kubernetes-csi/csi-lib-utils/protosanitizer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"k8s.io/klog/v2"
)

// stopTimeout is how long calls in flight may take to end once serving stops.
const stopTimeout = 10 * time.Second

// ServeOn serves what register registers on a listener of Listen until ctx ends,
// and closes the listener; calls in flight may then finish, new ones are refused.
// It logs to the logger that ctx carries.
func ServeOn(ctx context.Context, listener net.Listener, register func(*grpc.Server)) error {
	logger := klog.FromContext(ctx)
	server := grpc.NewServer(grpc.UnaryInterceptor(logTo(logger)))
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

// logTo returns an interceptor that logs every failed call, and at verbosity 5
// every call with its request; secrets are stripped from both.
func logTo(logger klog.Logger) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		logger := logger.WithValues("method", info.FullMethod)
		start := time.Now()
		response, err := handle(klog.NewContext(ctx, logger), request)
		if err != nil {
			logger.Info("call refused",
				"request", protosanitizer.StripSecrets(request).String(),
				"code", status.Code(err).String(),
				"reason", status.Convert(err).Message(),
				"took", time.Since(start))
			return response, err
		}
		if logger := logger.V(5); logger.Enabled() {
			logger.Info("call answered",
				"request", protosanitizer.StripSecrets(request).String(),
				"response", protosanitizer.StripSecrets(response).String(),
				"took", time.Since(start))
		}
		return response, nil
	}
}
