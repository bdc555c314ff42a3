// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	kubeclient "k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/driver/kubernetes"
	"github.com/csi-topo/csi-topo/driver/service"
)

// localFlags holds the flags of the combined controller and node plugin.
type localFlags struct {
	nodeFlags
}

func newLocalCommand(connect connect) *cobra.Command {
	var f localFlags
	command := &cobra.Command{
		Use:   "local",
		Short: "Serve the Identity, Controller and Node services of one node",
		Long: `Serves all services for the volumes of the node it runs on, as root, until SIGTERM.
Every node has its own instance with its own data directory: its segment is the
node, and its volumes are accessible only there.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			client, err := connect(f.kubeconfig)
			if err != nil {
				return err
			}
			return f.run(command.Context(), client)
		},
	}
	f.add(command.Flags())
	return command
}

func (f *localFlags) run(ctx context.Context, client kubeclient.Interface) error {
	inventory, err := kubernetes.NewNodeInventory(ctx, client)
	if err != nil {
		return err
	}
	segment := kubernetes.NodeSegment(f.nodeName)
	controller, store, err := f.openController(ctx, inventory, segment)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	volumes, dirs := mounters(f.dataDir, f.nodeName)
	node, err := service.NewNode(ctx, service.NodeConfig{
		NodeID:     f.nodeName,
		Segment:    segment,
		MaxVolumes: f.maxVolumes,
		Volumes:    volumes,
		StateDir:   f.stateDir,
	})
	if err != nil {
		return err
	}
	return f.serve(ctx, dirs, plugin{
		identity: service.NewLocalIdentity(version()),
		register: func(server *grpc.Server) {
			csi.RegisterControllerServer(server, controller)
			csi.RegisterSnapshotMetadataServer(server, service.NewSnapshotMetadata(controller))
			csi.RegisterNodeServer(server, service.NewLocalNode(node, controller))
		},
		usage:       usageOf(controller, store),
		setCapacity: controller.SetCapacity,
	})
}
