// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/internal/target/relay"
)

// Served holds local sockets that are connected to the driver's sockets in its pods.
type Served struct {
	// Controller is the path of the controller's socket.
	Controller string
	// Nodes are the paths of the node plugins' sockets, by the names of their nodes.
	Nodes map[string]string

	relays []*relay.Relay
}

// Serve makes the sockets of the driver that is installed on the cluster available in the directory until Close, so
// that anything that calls a driver by its sockets can call this one.
func (o Options) Serve(ctx context.Context, on Cluster, dir string) (served *Served, err error) {
	described, err := o.described()
	if err != nil {
		return nil, err
	}
	target := &harness.Target{}
	if err := o.fill(target, described, on); err != nil {
		return nil, err
	}
	if target.Controller == nil || target.Node == nil || target.ControllerPerNode {
		return nil, errors.New("the profile does not name the sockets of one controller and of the nodes: want cluster.controller and cluster.node in it")
	}
	dialer, err := target.Dialer()
	if err != nil {
		return nil, err
	}
	served = &Served{Nodes: map[string]string{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, served.Close())
		}
	}()
	controllers, err := target.SocketsOf(ctx, target.Controller)
	if err != nil {
		return served, fmt.Errorf("looking for the controller's socket: %w", err)
	}
	first := slices.Min(slices.Collect(maps.Keys(controllers))) // each of them answers for all
	served.Controller = filepath.Join(dir, "controller.sock")
	if err := served.listen(ctx, served.Controller, dialer, controllers[first]); err != nil {
		return served, err
	}
	nodes, err := target.SocketsOf(ctx, target.Node)
	if err != nil {
		return served, fmt.Errorf("looking for the nodes' sockets: %w", err)
	}
	for i, node := range slices.Sorted(maps.Keys(nodes)) {
		served.Nodes[node] = filepath.Join(dir, fmt.Sprintf("node-%d.sock", i)) // short: the path of a socket has at most 107 bytes
		if err := served.listen(ctx, served.Nodes[node], dialer, nodes[node]); err != nil {
			return served, err
		}
	}
	return served, nil
}

func (s *Served) listen(ctx context.Context, path string, dialer dial.Dialer, socket dial.Socket) error {
	listening, err := relay.Listen(ctx, path, func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, socket) })
	if err == nil {
		s.relays = append(s.relays, listening)
	}
	return err
}

// Close closes the sockets.
func (s *Served) Close() error {
	var problems []error
	for _, listening := range s.relays {
		problems = append(problems, listening.Close())
	}
	return errors.Join(problems...)
}
