// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"k8s.io/component-base/logs/json"
	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/service"
)

// logged collects the log, as JSON and at the highest verbosity in use.
type logged struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

func (l *logged) logger() logr.Logger {
	logger, _ := json.NewJSONLogger(10, json.AddNopSync(l), nil, nil)
	return logger
}

// served is a server under test.
type served struct {
	*grpc.ClientConn
	log *logged
	// stop ends the server, and returns the result of ServeOn.
	stop func() error
}

// serve serves the registered services until the test ends or stop is called.
func serve(t *testing.T, register func(*grpc.Server), options ...grpc.ServerOption) served {
	t.Helper()
	log := &logged{}
	return serveWith(t, log, log.logger(), register, options...)
}

func serveWith(t *testing.T, log *logged, logger logr.Logger, register func(*grpc.Server), options ...grpc.ServerOption) served {
	t.Helper()
	endpoint := "unix://" + filepath.Join(t.TempDir(), "csi.sock")
	listener, err := service.Listen(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(logr.NewContext(t.Context(), logger))
	end := sync.OnceValue(func() error { return service.ServeOn(ctx, listener, register, options...) })
	go func() { _ = end() }()
	stop := func() error {
		cancel()
		return end()
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return served{ClientConn: connection, log: log, stop: stop}
}

// deleting is a controller whose DeleteVolume acts according to the id of the volume.
type deleting struct {
	csi.UnimplementedControllerServer
}

func (deleting) DeleteVolume(ctx context.Context, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	switch r.GetVolumeId() {
	case "panics":
		panic("no such thing")
	case "fails":
		return nil, status.Error(codes.FailedPrecondition, "it is in use")
	case "fails without a status":
		return nil, errors.New("it is in use")
	case "is cancelled":
		return nil, context.Canceled
	}
	klog.FromContext(ctx).V(10).Info("deleted")
	return &csi.DeleteVolumeResponse{}, nil
}

func registerDeleting(s *grpc.Server) { csi.RegisterControllerServer(s, deleting{}) }

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name    string
		given   string // id of the volume to delete
		want    codes.Code
		message string
		logged  []string
	}{
		{
			name: "answered", given: "v", want: codes.OK,
			logged: []string{`"msg":"deleted"`, `"msg":"call answered"`, `"method":"/csi.v1.Controller/DeleteVolume"`, `\"volume_id\":\"v\"`},
		},
		{
			name: "refused", given: "fails", want: codes.FailedPrecondition, message: "it is in use",
			logged: []string{`"msg":"call refused"`, `"code":"FailedPrecondition"`, `"reason":"it is in use"`, `\"volume_id\":\"fails\"`},
		},
		{name: "refused without a status", given: "fails without a status", want: codes.Unknown, message: "it is in use", logged: []string{`"code":"Unknown"`}},
		{name: "cancelled", given: "is cancelled", want: codes.Canceled, message: "context canceled", logged: []string{`"code":"Canceled"`}},
		{
			name: "panicked", given: "panics", want: codes.Internal, message: "internal error: the handler panicked, see the driver's log",
			logged: []string{`"msg":"call panicked"`, `"panic":"no such thing"`, "service_test.deleting.DeleteVolume", `"code":"Internal"`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := serve(t, registerDeleting)
			controller := csi.NewControllerClient(server)
			_, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: test.given})
			if got := status.Convert(err); got.Code() != test.want || got.Message() != test.message {
				t.Errorf("got %v, want %s: %s", err, test.want, test.message)
			}
			if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "next"}); err != nil {
				t.Errorf("the next call gets %v", err)
			}
			if err := server.stop(); err != nil {
				t.Fatal(err)
			}
			for _, want := range test.logged {
				if !strings.Contains(server.log.String(), want) {
					t.Errorf("the log does not have %s:\n%s", want, server.log)
				}
			}
		})
	}
}

func TestServingWithoutALog(t *testing.T) {
	server := serveWith(t, nil, logr.Discard(), registerDeleting)
	for id, want := range map[string]codes.Code{"v": codes.OK, "fails": codes.FailedPrecondition, "panics": codes.Internal} {
		_, err := csi.NewControllerClient(server).DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id})
		if status.Code(err) != want {
			t.Errorf("%s: got %v, want %s", id, err, want)
		}
	}
}

func TestInterceptorsAmongTheOptionsSeePanics(t *testing.T) {
	var seen error
	server := serve(t, registerDeleting, grpc.ChainUnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
			response, err := handle(ctx, request)
			seen = err
			return response, err
		}))
	_, _ = csi.NewControllerClient(server).DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "panics"})
	if err := server.stop(); err != nil {
		t.Fatal(err)
	}
	if status.Code(seen) != codes.Internal {
		t.Errorf("an interceptor sees %v, want INTERNAL", seen)
	}
}

func TestServingEnds(t *testing.T) {
	server := serve(t, registerDeleting)
	controller := csi.NewControllerClient(server)
	if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "v"}); err != nil {
		t.Fatal(err)
	}
	if err := server.stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
	if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "v"}); status.Code(err) != codes.Unavailable {
		t.Errorf("got %v, want UNAVAILABLE", err)
	}
}
