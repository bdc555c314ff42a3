// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func newDirectoriesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "directories SOCKET",
		Short: "Publish volumes as directories",
		Long: `Publish volumes as directories.

On the socket it answers NodePublishVolume, by making a directory at target_path, and NodeUnpublishVolume, by removing it
with all that is in it. It serves behind the proxy of a node plugin that cases start; rules answer all other calls.`,
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return serveDirectories(command.Context(), args[0])
		},
	}
}

// serveDirectories serves the socket until the context ends.
func serveDirectories(ctx context.Context, socket string) error {
	listener, err := trace.Listen(ctx, socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	csi.RegisterNodeServer(server, directories{})
	stop := context.AfterFunc(ctx, server.Stop)
	defer stop()
	if err := server.Serve(listener); err != nil {
		return fmt.Errorf("serving %s: %w", socket, err)
	}
	return nil
}

// directories publishes volumes that are only directories.
type directories struct{ csi.UnimplementedNodeServer }

// NodePublishVolume creates the directory if it does not exist.
func (directories) NodePublishVolume(_ context.Context, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	return &csi.NodePublishVolumeResponse{}, os.MkdirAll(r.GetTargetPath(), 0o750)
}

// NodeUnpublishVolume removes the directory if it exists.
func (directories) NodeUnpublishVolume(_ context.Context, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	return &csi.NodeUnpublishVolumeResponse{}, os.RemoveAll(r.GetTargetPath())
}
