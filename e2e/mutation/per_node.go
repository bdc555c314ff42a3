// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pernode"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// startPerNode starts a separate driver for each of the nodes, and connects the target to them instead. They cannot be
// restarted.
func (d Driver) startPerNode(ctx context.Context, started *running) error {
	target := started.target
	target.Nodes, target.Restart = nil, nil
	for i, name := range d.PerNode {
		dir := filepath.Join(started.dir, fmt.Sprintf("n%d", i+1))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		options := d.options(dir)
		options.Segments = []topology.Segment{{topology.NodeKey: name}}
		one := &Restartable{options: options}
		if err := one.Start(ctx); err != nil {
			return err
		}
		halt := started.halt
		started.halt = func() error { return errors.Join(one.Stop(), halt()) }
		controller, err := wire.Dial(one.driver.Controller)
		if err != nil {
			return err
		}
		node, err := wire.Dial(one.driver.Nodes[0].Endpoint)
		if err != nil {
			return err
		}
		target.Nodes = append(target.Nodes, faulty{called(name, OneSocket{controller, node}), d.Fault})
	}
	target.Controller = pernode.New(target.Nodes)
	return nil
}

// called makes a node answer with the id.
func called(id string, conn grpc.ClientConnInterface) grpc.ClientConnInterface {
	return faulty{conn, Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) { response.NodeId = id })}
}

// OneSocket serves all services: the Node service of the node, and the other services of the controller.
type OneSocket struct {
	grpc.ClientConnInterface
	Node grpc.ClientConnInterface
}

// Invoke makes a call of the Node service at the node, and any other call at the controller.
func (s OneSocket) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if strings.HasPrefix(method, "/csi.v1.Node/") {
		return s.Node.Invoke(ctx, method, request, response, opts...)
	}
	return s.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}
