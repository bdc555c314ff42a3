//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/driver/kubernetes"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// What volumes may measure, in bytes.
const (
	defaultBytes = 1 << 30
	unitBytes    = 1 << 20
)

// controllerFlags are the flags of the controller plugin.
type controllerFlags struct {
	serving
	capacity string
}

func newControllerCommand() *cobra.Command {
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
			capacity, err := f.check()
			if err != nil {
				return err
			}
			return f.run(command.Context(), capacity)
		},
	}
	f.serving.add(command.Flags())
	command.Flags().StringVar(&f.capacity, "capacity", "10Gi", "how much each segment holds, as a Kubernetes quantity of bytes")
	return command
}

// check returns the capacity of a segment in bytes.
func (f controllerFlags) check() (int64, error) {
	if err := f.serving.check(); err != nil {
		return 0, err
	}
	quantity, err := resource.ParseQuantity(f.capacity)
	if err != nil || quantity.Sign() <= 0 {
		return 0, errors.Join(fmt.Errorf("--capacity must be a positive quantity such as 10Gi, got %q", f.capacity), err)
	}
	return quantity.Value(), nil
}

func (f controllerFlags) run(ctx context.Context, capacity int64) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	inventory, err := kubernetes.NewInventory(ctx, client)
	if err != nil {
		return err
	}
	images, err := volume.OpenImages(f.dataDir)
	if err != nil {
		return err
	}
	defer func() { _ = images.Close() }()
	store, err := record.Open(filepath.Join(f.dataDir, "records.db"))
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	controller, err := service.NewController(ctx, service.ControllerConfig{
		Inventory: inventory,
		Pools:     pool.New(pool.Capacity{DefaultBytes: capacity}),
		Store:     store,
		Volumes:   images,
		Sizes: service.Sizes{
			MinimumBytes: volume.MinimumBytes,
			DefaultBytes: defaultBytes,
			UnitBytes:    unitBytes,
		},
	})
	if err != nil {
		return err
	}

	group, ctx := errgroup.WithContext(ctx)
	if err := f.serving.start(ctx, group, func(server *grpc.Server) {
		csi.RegisterIdentityServer(server, service.NewIdentity(version()))
		csi.RegisterControllerServer(server, controller)
	}); err != nil {
		group.Go(func() error { return err })
	}
	return group.Wait()
}
