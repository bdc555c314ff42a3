// SPDX-License-Identifier: Apache-2.0

package sanity_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/dir"
	"github.com/csi-topo/csi-topo/driver/volume/image"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// diskCases returns a case for each kind of volume on disk, in every zone.
func diskCases(t *testing.T) []sanityCase {
	t.Helper()
	if !privileged.HasDisks(t) {
		return nil
	}
	controller, nodes := startOnDisk(t)
	var cases []sanityCase
	for _, node := range nodes {
		for _, c := range []sanityCase{
			{kind: volume.Image, access: "mount", allocation: "thick"},
			{kind: volume.Image, access: "block", allocation: "thick"},
			{kind: volume.Dir, access: "mount", allocation: "thin"},
		} {
			c.controller, c.node = controller, node
			c.bytes = image.MinimumBytes
			cases = append(cases, c)
		}
	}
	return cases
}

// startOnDisk runs the services as the program does, with volumes in a temporary directory: one controller, and a node in
// each of four zones.
func startOnDisk(t *testing.T) (controllerEndpoint string, nodes []embedded.Node) {
	t.Helper()
	dataDir, sockets := t.TempDir(), t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	images, err := image.Open(dataDir, nil)
	must(err)
	dirs, err := dir.Open(dataDir, nil)
	must(err)
	store, err := record.Open(filepath.Join(dataDir, "records.db"), nil)
	must(err)
	t.Cleanup(func() { _ = store.Close() })

	inventory := service.FixedInventory{}
	for _, zone := range []string{"Z2", "Z3", "Z4", "Z5"} {
		id := "node-in-" + zone
		inventory[id] = topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone}
		nodes = append(nodes, embedded.Node{ID: id, Endpoint: "unix://" + filepath.Join(sockets, zone+".sock"), Segment: inventory[id]})
	}
	quiet := logr.NewContext(t.Context(), logr.Discard())
	controller, err := service.NewController(quiet, service.ControllerConfig{
		Inventory: inventory,
		Pools:     pool.New(pool.Uniform(64 << 30)),
		Store:     store,
		Volumes:   volume.Provisioners{volume.Image: images, volume.Dir: dirs},
		Kinds: []service.SupportedKind{
			{Kind: volume.Image, Sizes: service.Sizes{MinimumBytes: image.MinimumBytes, DefaultBytes: image.MinimumBytes}},
			{Kind: volume.Dir},
		},
		MaxVolumesPerNode: 3,
	})
	must(err)
	serve := func(endpoint string, register func(*grpc.Server)) {
		listener, err := service.Listen(endpoint)
		must(err)
		go func() {
			_ = service.ServeOn(quiet, listener, func(s *grpc.Server) {
				csi.RegisterIdentityServer(s, service.NewIdentity("test"))
				register(s)
			})
		}()
	}
	controllerEndpoint = "unix://" + filepath.Join(sockets, "controller.sock")
	serve(controllerEndpoint, func(s *grpc.Server) {
		csi.RegisterControllerServer(s, controller)
		csi.RegisterGroupControllerServer(s, service.NewGroupController(controller))
		csi.RegisterSnapshotMetadataServer(s, service.NewSnapshotMetadata(controller))
	})
	for _, n := range nodes {
		config := volume.MounterConfig{DataDir: dataDir, NodeID: n.ID}
		node, err := service.NewNode(quiet, service.NodeConfig{
			NodeID:     n.ID,
			Segment:    n.Segment,
			MaxVolumes: 3,
			StateDir:   t.TempDir(),
			Volumes: volume.Mounters{
				volume.Image: image.NewMounter(config),
				volume.Dir:   dir.NewMounter(config),
			},
		})
		must(err)
		serve(n.Endpoint, func(s *grpc.Server) { csi.RegisterNodeServer(s, node) })
	}
	t.Cleanup(func() { wantNoVolumes(t, dataDir) })
	return controllerEndpoint, nodes
}

// wantNoVolumes checks that everything was removed from the data directory.
func wantNoVolumes(t *testing.T, dataDir string) {
	for _, name := range []string{"volumes", "snapshots"} {
		left, err := os.ReadDir(filepath.Join(dataDir, name))
		if err != nil || len(left) > 0 {
			t.Errorf("%s has %v left, %v", name, left, err)
		}
	}
}
