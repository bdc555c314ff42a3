package main

import (
	"errors"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// connections are those to the embedded driver's endpoints.
type connections struct {
	controller *grpc.ClientConn
	nodes      []*grpc.ClientConn
	zones      []string
}

func connect(driver *embedded.Driver) (*connections, error) {
	controller, err := harness.Dial(driver.Controller)
	if err != nil {
		return nil, err
	}
	c := &connections{controller: controller}
	for _, node := range driver.Nodes {
		conn, err := harness.Dial(node.Endpoint)
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
		c.nodes = append(c.nodes, conn)
		c.zones = append(c.zones, node.Segment.String())
	}
	return c, nil
}

// target is the embedded driver as the cases know it.
func (c *connections) target() (*harness.Target, error) {
	described, err := profile.HostpathTopo()
	if err != nil {
		return nil, err
	}
	target := &harness.Target{Controller: c.controller, Profile: described, Timeouts: harness.DefaultTimeouts()}
	for _, node := range c.nodes {
		target.Nodes = append(target.Nodes, node)
	}
	return target, nil
}

func (c *connections) close() error {
	err := c.controller.Close()
	for _, node := range c.nodes {
		err = errors.Join(err, node.Close())
	}
	return err
}
