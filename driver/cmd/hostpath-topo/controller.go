// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	kubeclient "k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/driver/kubernetes"
	"github.com/csi-topo/csi-topo/driver/metrics"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// controllerFlags holds the flags of the controller plugin.
type controllerFlags struct {
	serving
}

func newControllerCommand(connect connect) *cobra.Command {
	var f controllerFlags
	command := &cobra.Command{
		Use:   "controller",
		Short: "Serve the Identity and Controller services of the cluster",
		Long: `Serves the Identity and Controller services until SIGTERM. There may be only one
in the cluster: it has the records of all volumes. The segments it knows are those
that the labels topology.kubernetes.io/region and topology.kubernetes.io/zone of
the nodes name.`,
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
	f.serving.add(command.Flags())
	return command
}

func (f *controllerFlags) run(ctx context.Context, client kubeclient.Interface) error {
	inventory, err := kubernetes.NewInventory(ctx, client)
	if err != nil {
		return err
	}
	controller, store, err := f.openController(ctx, inventory, nil)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()

	group, ctx := errgroup.WithContext(ctx)
	if err := f.serving.start(ctx, group, plugin{
		identity: service.NewIdentity(version()),
		register: func(server *grpc.Server) {
			csi.RegisterControllerServer(server, controller)
			csi.RegisterGroupControllerServer(server, service.NewGroupController(controller))
			csi.RegisterSnapshotMetadataServer(server, service.NewSnapshotMetadata(controller))
		},
		usage:       usageOf(controller, store),
		setCapacity: controller.SetCapacity,
	}); err != nil {
		group.Go(func() error { return err })
	}
	return group.Wait()
}

// openController opens the records in the data directory, and returns a controller for all segments or only for the local
// one. The caller closes the records.
func (s *serving) openController(ctx context.Context, inventory service.Inventory, local topology.Segment) (*service.Controller, *record.Store, error) {
	volumes, err := openVolumes(s.dataDir)
	if err != nil {
		return nil, nil, err
	}
	store, err := record.Open(filepath.Join(s.dataDir, "records.db"), nil)
	if err != nil {
		return nil, nil, err
	}
	controller, err := service.NewController(ctx, service.ControllerConfig{
		Inventory: inventory,
		Pools:     pool.New(s.capacity()),
		Store:     store,
		Volumes:   volumes,
		Kinds:     kinds(),
		Local:     local,
	})
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return controller, store, nil
}

// usageOf returns the usage of the controller and its records.
func usageOf(controller *service.Controller, store *record.Store) *metrics.Usage {
	return &metrics.Usage{
		Pools: controller.Usage,
		Volumes: func() (n int, err error) {
			_, _, err = store.Page("", 0, func(record.Volume) bool { n++; return false })
			return n, err
		},
		Snapshots: func() (n int, err error) {
			_, _, err = store.SnapshotPage("", 0, func(record.Snapshot) bool { n++; return false })
			return n, err
		},
	}
}
