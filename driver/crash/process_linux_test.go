// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/dir"
	"github.com/csi-topo/csi-topo/driver/volume/image"
)

const (
	// asDriver is set in the environment of a process that runs a driver, to the directory of its layout.
	asDriver = "CRASH_AS_DRIVER"
	// startFault is set there to the fault that happens while the driver starts.
	startFault = "CRASH_START_FAULT"
)

const (
	mib = 1 << 20
	// zoneBytes is the capacity of each zone.
	zoneBytes = 2048 * mib
	nodeID    = "n2"
)

// zones returns the zones of the nodes n2, n3 and n4.
func zones() []string { return []string{"Z2", "Z3", "Z4"} }

func segmentOf(zone string) topology.Segment { return topology.Segment{topology.ZoneKey: zone} }

// TestMain runs a driver in a process started as a driver, and the tests otherwise.
func TestMain(m *testing.M) {
	status, err := 1, error(nil)
	if dir := os.Getenv(asDriver); dir != "" {
		go endWithInput()
		err = runDriver(context.Background(), layout(dir))
	} else {
		status, err = runTests(m)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// endWithInput ends the process when its input is closed, which also happens when its
// parent is gone.
func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// started is the line that a driver process prints when it has started or failed to start.
type started struct {
	// Events are the events of the start.
	Events []event
	// Failed is the reason why it did not start, or "".
	Failed string
}

// runDriver runs both plugins in one process, as in production except for the watch,
// until the process ends.
func runDriver(ctx context.Context, at layout) error {
	f, err := decodeFault(os.Getenv(startFault))
	if err != nil {
		return err
	}
	s := &saboteur{}
	s.begin(f)
	controller, node, err := openDriver(ctx, at, s.watch)
	says := started{Events: s.end()}
	if err != nil {
		says.Failed = err.Error()
		return json.NewEncoder(os.Stdout).Encode(says)
	}
	listener, err := service.Listen(at.endpoint())
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(says); err != nil {
		return err
	}
	return service.ServeOn(ctx, listener, func(server *grpc.Server) {
		sabotaged := sabotagedServer{server, s}
		csi.RegisterControllerServer(sabotaged, controller)
		csi.RegisterGroupControllerServer(sabotaged, service.NewGroupController(controller))
		// It differs from Node only in an expansion with a capacity_range.
		csi.RegisterNodeServer(sabotaged, service.NewLocalNode(node, controller))
	})
}

func openDriver(ctx context.Context, at layout, watch durable.Watch) (*service.Controller, *service.Node, error) {
	images, err := image.Open(at.data(), watch)
	if err != nil {
		return nil, nil, err
	}
	dirs, err := dir.Open(at.data(), watch)
	if err != nil {
		return nil, nil, err
	}
	store, err := record.Open(at.records(), watch)
	if err != nil {
		return nil, nil, err
	}
	sizes := service.Sizes{UnitBytes: small}
	controller, err := service.NewController(ctx, service.ControllerConfig{
		Inventory: service.FixedInventory{nodeID: segmentOf("Z2"), "n3": segmentOf("Z3"), "n4": segmentOf("Z4")},
		Pools:     pool.New(pool.Uniform(zoneBytes)),
		Store:     store,
		Volumes:   volume.Provisioners{volume.Image: images, volume.Dir: dirs},
		Kinds:     []service.SupportedKind{{Kind: volume.Image, Sizes: sizes}, {Kind: volume.Dir, Sizes: sizes}},
	})
	if err != nil {
		return nil, nil, err
	}
	mounter := volume.MounterConfig{DataDir: at.data(), NodeID: nodeID, Watch: watch}
	node, err := service.NewNode(ctx, service.NodeConfig{
		NodeID:  nodeID,
		Segment: segmentOf("Z2"),
		Volumes: volume.Mounters{
			volume.Image: image.NewMounter(mounter),
			volume.Dir:   dir.NewMounter(mounter),
		},
		StateDir: at.usages(),
		Watch:    watch,
	})
	return controller, node, err
}
