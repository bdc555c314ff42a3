// SPDX-License-Identifier: Apache-2.0

// Package embedded runs the reference driver in this process, without root and without a cluster: one controller and one
// node per topology segment, each on its own socket, with volumes in memory. Tests of the driver use it, and so does the
// spec tier if no driver is named.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

const (
	defaultBytesPerSegment = 1 << 30
	defaultVolumeBytes     = 16 << 20
	version                = "embedded"
)

// Options are the options of a driver.
type Options struct {
	// Segments are the topology segments, each with one node; if nil, the zones Z2, Z3, Z4 and Z5 of region R1.
	Segments []topology.Segment
	// BytesPerSegment is the capacity of each segment; 1 GiB when 0.
	BytesPerSegment int64
	// Sizes are the sizes that volumes may have. DefaultBytes is 16 MiB when 0.
	Sizes service.Sizes
	// MaxVolumesPerNode is the number of volumes that a node may have published; 0
	// means unlimited.
	MaxVolumesPerNode int64
	// Dir is a directory for the sockets and the records; required. Stop does not remove it. Its path must be short, because
	// socket paths are limited.
	Dir string
	// Volumes are the volumes of an earlier run in the same Dir, which the driver continues to serve; none if nil.
	Volumes *memory.Volumes
}

// Driver is a running driver.
type Driver struct {
	// Controller is the endpoint of the Identity and Controller services.
	Controller string
	// Nodes are the nodes, in the order of Options.Segments.
	Nodes []Node
	// Volumes are the volumes that really exist, whatever the controller reports.
	Volumes *memory.Volumes

	stop    context.CancelFunc
	servers *errgroup.Group
	store   *record.Store
}

// Node is one node of a running driver.
type Node struct {
	// ID is the node's id in NodeGetInfo.
	ID string
	// Endpoint is the endpoint of the Identity and Node services.
	Endpoint string
	// Segment is the node's segment.
	Segment topology.Segment
}

// Start runs a driver until Stop or the end of ctx; all its sockets accept calls when it returns. It logs to the logger
// that ctx carries, if any.
func Start(ctx context.Context, o Options) (*Driver, error) {
	o, err := o.orDefaults()
	if err != nil {
		return nil, err
	}
	store, err := record.Open(filepath.Join(o.Dir, "records.db"), nil)
	if err != nil {
		return nil, err
	}
	if _, err := logr.FromContext(ctx); err != nil {
		ctx = logr.NewContext(ctx, logr.Discard())
	}
	ctx, stop := context.WithCancel(ctx)
	d := &Driver{Volumes: o.Volumes, stop: stop, servers: &errgroup.Group{}, store: store}
	if err := d.start(ctx, o); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the embedded driver: %w", err), d.Stop())
	}
	return d, nil
}

// Stop ends the driver and removes its sockets. The records stay in Options.Dir.
func (d *Driver) Stop() error {
	d.stop()
	return errors.Join(d.servers.Wait(), d.store.Close())
}

func (o Options) orDefaults() (Options, error) {
	if o.Dir == "" {
		return o, errors.New("starting the embedded driver: Options.Dir is required")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, fmt.Errorf("starting the embedded driver in %s: %w", o.Dir, err)
	}
	o.Dir = dir
	if o.Volumes == nil {
		o.Volumes = memory.NewIn(filepath.Join(o.Dir, "data"))
	}
	if o.BytesPerSegment == 0 {
		o.BytesPerSegment = defaultBytesPerSegment
	}
	if o.Sizes.DefaultBytes == 0 {
		o.Sizes.DefaultBytes = defaultVolumeBytes
	}
	if o.Segments == nil {
		for _, zone := range []string{"Z2", "Z3", "Z4", "Z5"} {
			o.Segments = append(o.Segments, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone})
		}
	}
	return o, nil
}

func (d *Driver) start(ctx context.Context, o Options) error {
	nodes := service.FixedInventory{}
	for i, segment := range o.Segments {
		id := fmt.Sprintf("node-%d", i+1)
		nodes[id] = segment
		d.Nodes = append(d.Nodes, Node{ID: id, Endpoint: o.endpoint(id), Segment: segment})
	}
	controller, err := service.NewController(ctx, service.ControllerConfig{
		Inventory:         inventory{nodes, nodes.Segments()},
		Pools:             pool.New(pool.Uniform(o.BytesPerSegment)),
		Store:             d.store,
		Volumes:           d.Volumes,
		Kinds:             []service.SupportedKind{{Kind: volume.InMemory, Sizes: o.Sizes}},
		MaxVolumesPerNode: o.MaxVolumesPerNode,
	})
	if err != nil {
		return err
	}
	d.Controller = o.endpoint("controller")
	if err := d.serve(ctx, d.Controller, func(s *grpc.Server) {
		csi.RegisterControllerServer(s, controller)
		csi.RegisterGroupControllerServer(s, service.NewGroupController(controller))
		csi.RegisterSnapshotMetadataServer(s, service.NewSnapshotMetadata(controller))
	}); err != nil {
		return err
	}
	for _, n := range d.Nodes {
		node, err := service.NewNode(ctx, service.NodeConfig{
			NodeID:     n.ID,
			Segment:    n.Segment,
			MaxVolumes: o.MaxVolumesPerNode,
			Volumes:    d.Volumes,
		})
		if err != nil {
			return err
		}
		if err := d.serve(ctx, n.Endpoint, func(s *grpc.Server) { csi.RegisterNodeServer(s, node) }); err != nil {
			return err
		}
	}
	return nil
}

// inventory is the fixed inventory with its segments in order, which would otherwise be sorted for every call.
type inventory struct {
	service.FixedInventory

	segments []topology.Segment
}

// Segments implements service.Inventory.
func (i inventory) Segments() []topology.Segment { return slices.Clone(i.segments) }

// serve serves Identity and the services that register adds on the endpoint, which accepts calls when serve returns.
func (d *Driver) serve(ctx context.Context, endpoint string, register func(*grpc.Server)) error {
	listener, err := service.Listen(endpoint)
	if err != nil {
		return err
	}
	d.servers.Go(func() error {
		return service.ServeOn(ctx, listener, func(s *grpc.Server) {
			csi.RegisterIdentityServer(s, service.NewIdentity(version))
			register(s)
		})
	})
	return nil
}

func (o Options) endpoint(name string) string {
	return "unix://" + filepath.Join(o.Dir, name+".sock")
}
