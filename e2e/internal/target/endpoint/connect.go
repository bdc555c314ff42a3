// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// Connections are connections to a driver's endpoints, with each endpoint's first answers.
type Connections struct {
	// Name is the driver's name.
	Name string
	// Controller serves the Identity and Controller services, at ControllerTarget.
	Controller       *grpc.ClientConn
	ControllerTarget string
	// Nodes serve the Identity and Node services.
	Nodes []Node
	// ControllerIsNode says that no node endpoint was given, and that the controller's endpoint serves the Node service
	// too.
	ControllerIsNode bool
}

// Node is one node of a driver.
type Node struct {
	// Conn is the connection to its gRPC target.
	Conn   *grpc.ClientConn
	Target string
	// Info is the answer to NodeGetInfo.
	Info *csi.NodeGetInfoResponse
}

// Connect calls GetPluginInfo at every endpoint, so that an endpoint without a server, or with another driver, is found
// before anything is created. An endpoint is the path of a socket, or a gRPC target. Without one for the controller, the
// first node's is used. starting is the time limit for a starting driver to be ready.
func Connect(ctx context.Context, controller string, nodes []string, starting time.Duration) (*Connections, error) {
	if controller == "" && len(nodes) > 0 {
		controller = nodes[0]
	}
	target, err := Target(controller)
	if err != nil {
		return nil, err
	}
	nodeTargets, err := targets(nodes)
	if err != nil {
		return nil, err
	}
	c := &Connections{ControllerTarget: target}
	if err := c.open(ctx, nodeTargets, starting); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Connections) open(ctx context.Context, nodes []string, starting time.Duration) (err error) {
	ready, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	if c.Controller, c.Name, err = dial(ctx, c.ControllerTarget); err != nil {
		return err
	}
	// A driver that answers before it is ready can be judged.
	_ = wire.WaitUntilReady(ready, c.Controller)
	if len(nodes) == 0 {
		if _, err := infoOf(ctx, c.Controller); err == nil {
			nodes, c.ControllerIsNode = []string{c.ControllerTarget}, true
		}
	}
	for i, target := range nodes {
		if slices.Contains(nodes[:i], target) {
			return fmt.Errorf("the node endpoint %s is named twice: name one for each node", target)
		}
		conn, name, err := dial(ctx, target)
		if err != nil {
			return err
		}
		c.Nodes = append(c.Nodes, Node{Conn: conn, Target: target})
		if name != c.Name {
			return fmt.Errorf("the node endpoint %s is of driver %q, and the controller endpoint %s of %q: name endpoints of one driver", target, name, c.ControllerTarget, c.Name)
		}
		unready := wire.WaitUntilReady(ready, conn)
		info, err := infoOf(ctx, conn)
		if err != nil {
			return errors.Join(fmt.Errorf("asking the node endpoint %s for NodeGetInfo: %w", target, err), unready)
		}
		c.Nodes[len(c.Nodes)-1].Info = info
	}
	return nil
}

// NodesControl reports whether there are nodes, and all of them also serve the Controller service.
func (c *Connections) NodesControl(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, node := range c.Nodes {
		if _, err := csi.NewControllerClient(node.Conn).ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{}); err != nil {
			return false
		}
	}
	return len(c.Nodes) > 0
}

// Close closes the connections.
func (c *Connections) Close() error {
	var err error
	if c.Controller != nil {
		err = c.Controller.Close()
	}
	for _, node := range c.Nodes {
		err = errors.Join(err, node.Conn.Close())
	}
	return err
}

// patience is the time limit for an endpoint to answer.
const patience = 15 * time.Second

func dial(ctx context.Context, target string) (*grpc.ClientConn, string, error) {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := wire.Dial(target)
	if err != nil {
		return nil, "", err
	}
	info, err := csi.NewIdentityClient(conn).GetPluginInfo(asking, &csi.GetPluginInfoRequest{})
	if ctx.Err() != nil { // regardless of the endpoint's answer
		return nil, "", errors.Join(fmt.Errorf("interrupted while asking the endpoint %s for GetPluginInfo: %w", target, context.Cause(ctx)), conn.Close())
	}
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("asking the endpoint %s for GetPluginInfo: %w; %s", target, err, hint(target, err)), conn.Close())
	}
	return conn, info.GetName(), nil
}

func infoOf(ctx context.Context, node *grpc.ClientConn) (*csi.NodeGetInfoResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return csi.NewNodeClient(node).NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
}
