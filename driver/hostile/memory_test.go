// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// TestCorpusOverSockets tries the corpus on volumes in memory, by gRPC on sockets as
// a sidecar does, and looks for secrets in the log of all calls.
func TestCorpusOverSockets(t *testing.T) {
	log := &logged{}
	w := newMemoryWorld(logr.NewContext(t.Context(), log.logger()), t)
	t.Chdir(w.tree.path("cwd"))
	testValidRequests(t, w)
	tryCorpus(t, w, func(rpc) bool { return true })
	if !strings.Contains(log.String(), "call refused") || !strings.Contains(log.String(), "call answered") {
		t.Error("the log does not have all calls")
	}
	if strings.Contains(log.String(), secret) {
		t.Error("the log has a secret")
	}
}

// newMemoryWorld returns a world of volumes in memory, which logs to the logger that
// ctx carries.
func newMemoryWorld(ctx context.Context, t *testing.T) *world {
	t.Helper()
	tree, memory := newTrap(t, memoryDir()), memory.New()
	s := newServices(ctx, t, tree, setup{provisioner: memory, mounter: memory, kinds: []service.SupportedKind{{Kind: volume.InMemory}}})
	w := &world{call: serve(ctx, t, s), tree: tree, kind: volume.InMemory, bytes: volumeBytes, segment: segments()[0], node: nodeID}
	must(t, "set up the world", w.setUp(ctx))
	return w
}

// setup holds the parts that newServices assembles.
type setup struct {
	provisioner volume.Provisioner
	mounter     volume.Mounter
	kinds       []service.SupportedKind
}

const (
	nodeID      = "node-1"
	volumeBytes = 16 << 20
	poolBytes   = 16 << 30
)

// segments returns the segments of the worlds; their node is in the first.
func segments() []topology.Segment {
	var all []topology.Segment
	for _, zone := range []string{"Z2", "Z3", "Z4"} {
		all = append(all, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone})
	}
	return all
}

func inventory() service.FixedInventory {
	nodes := service.FixedInventory{}
	for n, segment := range segments() {
		nodes[[]string{nodeID, "node-2", "node-3"}[n]] = segment
	}
	return nodes
}

// newServices returns the services of a driver whose records are in the data
// directory of the tree.
func newServices(ctx context.Context, t *testing.T, tree trap, s setup) services {
	t.Helper()
	store, err := record.Open(tree.path("data/records.db"), nil)
	must(t, "open the records", err)
	t.Cleanup(func() { must(t, "close the records", store.Close()) })
	controller, err := service.NewController(ctx, service.ControllerConfig{
		Inventory: inventory(),
		Pools:     pool.New(pool.Uniform(poolBytes)),
		Store:     store,
		Volumes:   s.provisioner,
		Kinds:     s.kinds,
	})
	must(t, "start the controller", err)
	node, err := service.NewNode(ctx, service.NodeConfig{NodeID: nodeID, Segment: segments()[0], Volumes: s.mounter, StateDir: tree.path("data/node-state")})
	must(t, "start the node", err)
	return services{identity: service.NewIdentity("test"), controller: controller, groups: service.NewGroupController(controller), metadata: service.NewSnapshotMetadata(controller), node: node}
}

// serve serves the controller and the node, each with the identity on its own socket, and returns a caller of them.
func serve(ctx context.Context, t *testing.T, s services) caller {
	t.Helper()
	directory, err := os.MkdirTemp("", "s")
	must(t, "make a directory for sockets", err)
	ctx, stop := context.WithCancel(ctx)
	var servers errgroup.Group
	open := func(name string, register func(*grpc.Server)) *grpc.ClientConn {
		endpoint := "unix://" + filepath.Join(directory, name)
		listener, err := service.Listen(endpoint)
		must(t, "listen", err)
		servers.Go(func() error {
			return service.ServeOn(ctx, listener, func(server *grpc.Server) {
				csi.RegisterIdentityServer(server, s.identity)
				register(server)
			})
		})
		connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
		must(t, "connect", err)
		t.Cleanup(func() { must(t, "disconnect", connection.Close()) })
		return connection
	}
	t.Cleanup(func() {
		stop()
		must(t, "serve", servers.Wait())
		must(t, "remove the directory of the sockets", os.RemoveAll(directory))
	})
	controller := open("controller", func(server *grpc.Server) {
		csi.RegisterControllerServer(server, s.controller)
		csi.RegisterGroupControllerServer(server, s.groups)
		csi.RegisterSnapshotMetadataServer(server, s.metadata)
	})
	node := open("node", func(server *grpc.Server) { csi.RegisterNodeServer(server, s.node) })
	return over(controller, node)
}

// logged collects the output of a logger.
type logged struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (l *logged) logger() logr.Logger {
	return funcr.New(func(prefix, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines.WriteString(prefix + args + "\n")
	}, funcr.Options{Verbosity: 5})
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}
