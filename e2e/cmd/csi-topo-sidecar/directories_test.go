// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func TestDirectories(t *testing.T) {
	dir := t.TempDir()
	socket, target := filepath.Join(dir, "csi.sock"), filepath.Join(dir, "pods", "mount")
	ctx, stop := context.WithCancel(t.Context())
	var serving errgroup.Group
	serving.Go(func() error { return serveDirectories(ctx, socket) })
	defer func() {
		stop()
		if err := serving.Wait(); err != nil {
			t.Error(err)
		}
	}()
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	node := csi.NewNodeClient(conn)
	for range 2 {
		if _, err := node.NodePublishVolume(t.Context(), &csi.NodePublishVolumeRequest{VolumeId: "v", TargetPath: target}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(target); err != nil || !info.IsDir() {
			t.Fatalf("at target_path: want a directory, found %v, %v", info, err)
		}
	}
	if err := os.WriteFile(filepath.Join(target, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := node.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: "v", TargetPath: target}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("at target_path: want nothing, found %v", err)
		}
	}
}
