// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// probed is an Identity service whose Probe returns ready, or leaves it unset if nil.
type probed struct {
	csi.UnimplementedIdentityServer
	ready *wrapperspb.BoolValue
}

func (p probed) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: p.ready}, nil
}

func TestServe(t *testing.T) {
	for _, test := range []struct {
		name     string
		given    csi.IdentityServer // nil means no driver at the socket
		path     string
		want     int
		wantText string
	}{
		{name: "ready", given: probed{ready: wrapperspb.Bool(true)}, path: "/healthz", want: http.StatusOK, wantText: "ok"},
		{name: "does not say, which is ready", given: probed{}, path: "/healthz", want: http.StatusOK, wantText: "ok"},
		{name: "not ready", given: probed{ready: wrapperspb.Bool(false)}, path: "/healthz", want: http.StatusServiceUnavailable, wantText: "not ready"},
		{name: "an error", given: csi.UnimplementedIdentityServer{}, path: "/healthz", want: http.StatusServiceUnavailable, wantText: "does not answer Probe"},
		{name: "no driver", path: "/healthz", want: http.StatusServiceUnavailable, wantText: "does not answer Probe"},
		{name: "metrics", path: "/metrics", want: http.StatusOK, wantText: "calls 7"},
		{name: "another path", given: probed{}, path: "/", want: http.StatusNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			socket := t.TempDir() + "/csi.sock"
			if test.given != nil {
				serveDriver(t, socket, test.given)
			}
			address := serveHTTP(t, "unix://"+socket)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != test.want || !strings.Contains(string(text), test.wantText) {
				t.Errorf("answered %d %q (%v), want %d with %q", response.StatusCode, text, err, test.want, test.wantText)
			}
		})
	}
}

func serveDriver(t *testing.T, socket string, identity csi.IdentityServer) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, identity)
	group := errgroup.Group{}
	group.Go(func() error { return server.Serve(listener) })
	t.Cleanup(func() {
		server.Stop()
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// serveHTTP serves until the test ends, and checks that serving then ends without an error.
func serveHTTP(t *testing.T, endpoint string) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "calls 7") })
	group := errgroup.Group{}
	group.Go(func() error { return Serve(t.Context(), listener, endpoint, metrics) })
	t.Cleanup(func() {
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}
