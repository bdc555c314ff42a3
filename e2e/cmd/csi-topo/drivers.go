package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// What the embedded driver has little of, so that cases find the borders.
const (
	maxVolumesPerNode = 8
	smallestVolume    = 1 << 20   // bytes
	largestVolume     = 512 << 20 // bytes, of which a segment has more
)

// endpoints are the gRPC targets of one driver.
type endpoints struct {
	controller string
	nodes      []string
}

// embed starts the reference driver in this process, with its sockets and records in the directory.
func embed(ctx context.Context, dir string) (*embedded.Driver, endpoints, error) {
	// After an interrupt the cases still take their volumes back, so the driver must outlive the context.
	driver, err := embedded.Start(context.WithoutCancel(ctx), embedded.Options{
		Dir:               dir,
		Sizes:             service.Sizes{MinimumBytes: smallestVolume, MaximumBytes: largestVolume},
		MaxVolumesPerNode: maxVolumesPerNode,
	})
	if err != nil {
		return nil, endpoints{}, fmt.Errorf("starting the reference driver: %w", err)
	}
	found := endpoints{controller: driver.Controller}
	for _, node := range driver.Nodes {
		found.nodes = append(found.nodes, node.Endpoint)
	}
	return driver, found, nil
}

// connections are those to a driver's endpoints, and what every endpoint said when it was asked first.
type connections struct {
	endpoints
	controller *grpc.ClientConn
	nodes      []*grpc.ClientConn
	name       string
	infos      []*csi.NodeGetInfoResponse
	// both says that no node endpoint was given, and that the controller's serves the Node service too.
	both bool
}

// connect asks every endpoint who it is, so that one where nobody is, or another driver, is found before anything is
// created. A driver that is starting has that long to be ready.
func connect(ctx context.Context, at endpoints, starting time.Duration) (*connections, error) {
	c := &connections{endpoints: at}
	if err := c.open(ctx, starting); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *connections) open(ctx context.Context, starting time.Duration) (err error) {
	ready, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	if c.controller, c.name, err = dial(ctx, c.endpoints.controller); err != nil {
		return err
	}
	// Whoever answers although it is not ready can be judged.
	_ = harness.WaitUntilReady(ready, c.controller)
	if len(c.endpoints.nodes) == 0 {
		if _, err := infoOf(ctx, c.controller); err == nil {
			c.endpoints.nodes, c.both = []string{c.endpoints.controller}, true
		}
	}
	for _, endpoint := range c.endpoints.nodes {
		conn, name, err := dial(ctx, endpoint)
		if err != nil {
			return err
		}
		c.nodes = append(c.nodes, conn)
		if name != c.name {
			return fmt.Errorf("the node endpoint %s is of driver %q, and the controller endpoint %s of %q: name endpoints of one driver", endpoint, name, c.endpoints.controller, c.name)
		}
		unready := harness.WaitUntilReady(ready, conn)
		info, err := infoOf(ctx, conn)
		if err != nil {
			return errors.Join(fmt.Errorf("asking the node endpoint %s for NodeGetInfo: %w", endpoint, err), unready)
		}
		c.infos = append(c.infos, info)
	}
	return nil
}

// patience is how long an endpoint has to say who it is.
const patience = 15 * time.Second

func dial(ctx context.Context, endpoint string) (*grpc.ClientConn, string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := harness.Dial(endpoint)
	if err != nil {
		return nil, "", err
	}
	info, err := csi.NewIdentityClient(conn).GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("asking the endpoint %s for GetPluginInfo: %w; want one where a CSI driver listens, such as unix:///csi/csi.sock", endpoint, err), conn.Close())
	}
	return conn, info.GetName(), nil
}

func infoOf(ctx context.Context, node *grpc.ClientConn) (*csi.NodeGetInfoResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return csi.NewNodeClient(node).NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
}

func (c *connections) close() error {
	var err error
	for _, conn := range append([]*grpc.ClientConn{c.controller}, c.nodes...) {
		if conn != nil {
			err = errors.Join(err, conn.Close())
		}
	}
	return err
}

// described is the profile for the driver: the file's, or else the reference driver's own, or what can be said of any
// driver.
func described(path string, name string) (profile.Profile, error) {
	reference, err := profile.Known(profile.Reference)
	if err != nil {
		return profile.Profile{}, err
	}
	switch {
	case path != "":
		return fromFile(path, name)
	case name == reference.Driver:
		return reference, nil
	default:
		return profile.Of(name), nil
	}
}

func fromFile(path, name string) (profile.Profile, error) {
	read, err := profile.Load(path)
	if err != nil {
		return profile.Profile{}, err
	}
	if err := checkWaivers(path, read); err != nil {
		return profile.Profile{}, err
	}
	if name != "" && read.Driver != name {
		return profile.Profile{}, fmt.Errorf("the profile %s is of driver %q, and the endpoints are of %q: name endpoints and profile of one driver", path, read.Driver, name)
	}
	return read, nil
}

// directory makes one for sockets and for what nodes stage, whose path is short, as those of sockets must be.
func directory() (dir string, remove func() error, err error) {
	dir, err = os.MkdirTemp("", "csi-topo-")
	if err != nil {
		return "", nil, fmt.Errorf("making a directory for the run: %w", err)
	}
	return dir, func() error { return os.RemoveAll(dir) }, nil
}

// directoryInMemory makes one for a run with the driver that is started here: the driver's records end with the run, so
// no disk has to write them down after every call. A TMPDIR that is set decides instead.
func directoryInMemory() (dir string, remove func() error, err error) {
	const memory = "/dev/shm"
	if os.Getenv("TMPDIR") == "" {
		if dir, err := os.MkdirTemp(memory, "csi-topo-"); err == nil {
			return dir, func() error { return os.RemoveAll(dir) }, nil
		}
	}
	return directory()
}

// nodeRoot is where node directories are made when the profile does not say.
func nodeRoot(dir string) string { return filepath.Join(dir, "node") }
