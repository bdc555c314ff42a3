// SPDX-License-Identifier: Apache-2.0

package calls

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// deletes simulates a driver that deletes at once.
type deletes struct {
	csi.UnimplementedControllerServer
}

// DeleteVolume returns OK.
func (deletes) DeleteVolume(context.Context, *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return &csi.DeleteVolumeResponse{}, nil
}

// TestCutShortOverAConnection checks that a call is given up however fast the driver is.
func TestCutShortOverAConnection(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	csi.RegisterControllerServer(server, deletes{})
	served := make(chan error)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	conn, err := wire.Dial("unix://" + socket)
	if err != nil {
		t.Fatal(err)
	}
	controller := csi.NewControllerClient(conn)
	request := &csi.DeleteVolumeRequest{VolumeId: "v"}
	if _, err := controller.DeleteVolume(t.Context(), request); err != nil {
		t.Fatal(err)
	}

	for range 100 {
		cut, err := GiveUp(t.Context(), func(ctx context.Context) error {
			_, err := controller.DeleteVolume(ctx, request)
			return err
		})
		if cut == 0 || err != nil {
			t.Fatalf("%d calls were given up, and the last ended with %v", cut, err)
		}
	}
}
