// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// versionless is a driver without GetPluginInfo.
type versionless struct {
	csi.UnimplementedIdentityServer
}

func (versionless) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return nil, status.Error(codes.Unavailable, "Driver is missing version")
}

func TestConnectSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file, closed, answering := filepath.Join(dir, "file"), filepath.Join(dir, "closed.sock"), filepath.Join(dir, "driver.sock")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: closed, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", answering) //nolint:noctx // it ends with the test
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, versionless{})
	go func() { _ = server.Serve(socket) }()
	t.Cleanup(server.Stop)
	for _, c := range []struct{ name, given, want, not string }{
		{"absent", filepath.Join(dir, "absent.sock"), "start the driver, or correct the path", ""},
		{"no socket", file, "is not a socket", ""},
		{"left by a driver that has ended", closed, "start the driver again", ""},
		{"a driver without version", answering, "the flags that it was started with", "where a CSI driver listens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Connect(t.Context(), c.given, nil, time.Second)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.not != "" && strings.Contains(err.Error(), c.not) {
				t.Errorf("got %v, want an error with %q and without %q", err, c.want, c.not)
			}
		})
	}
}
