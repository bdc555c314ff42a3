package service_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/service"
)

// logged is what a logger was told.
type logged struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (l *logged) logger() logr.Logger {
	return funcr.New(func(prefix, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines.WriteString(prefix + args + "\n")
	}, funcr.Options{Verbosity: 5})
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// serve serves a test controller, and returns a client of it, its log, and a
// function that stops it and returns what ServeOn did.
func serve(t *testing.T) (csi.ControllerClient, *logged, func() error) {
	t.Helper()
	endpoint := "unix://" + filepath.Join(t.TempDir(), "csi.sock")
	listener, err := service.Listen(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	controller, log := newTestController(t), &logged{}
	ctx, cancel := context.WithCancel(logr.NewContext(t.Context(), log.logger()))
	ended := make(chan error, 1)
	go func() {
		ended <- service.ServeOn(ctx, listener, func(s *grpc.Server) { csi.RegisterControllerServer(s, controller) })
	}()
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return csi.NewControllerClient(connection), log, func() error {
		cancel()
		return <-ended
	}
}

func TestCallsAreLoggedWithoutSecrets(t *testing.T) {
	client, log, stop := serve(t)
	answered, refused := request("answered"), request("refused", "Z9")
	for _, r := range []*csi.CreateVolumeRequest{answered, refused} {
		r.Secrets = map[string]string{"password": "xyzzy"}
	}
	if _, err := client.CreateVolume(t.Context(), answered); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateVolume(t.Context(), refused); status.Code(err) != codes.InvalidArgument {
		t.Fatalf("got %v, want INVALID_ARGUMENT", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"call answered", "answered", "call refused", "InvalidArgument", "no node is in", "/csi.v1.Controller/CreateVolume"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %q:\n%s", want, log)
		}
	}
	if strings.Contains(log.String(), "xyzzy") {
		t.Errorf("the log has a secret:\n%s", log)
	}
}

func TestServingEnds(t *testing.T) {
	client, _, stop := serve(t)
	if _, err := client.ControllerGetCapabilities(t.Context(), &csi.ControllerGetCapabilitiesRequest{}); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
	if _, err := client.ControllerGetCapabilities(t.Context(), &csi.ControllerGetCapabilitiesRequest{}); status.Code(err) != codes.Unavailable {
		t.Errorf("got %v, want UNAVAILABLE", err)
	}
}
