// SPDX-License-Identifier: Apache-2.0

package nodeplugin

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Infos returns the answers of all node plugins to NodeGetInfo, by the names of their
// nodes.
func Infos(ctx context.Context, s *harness.Scenario) (map[string]*csi.NodeGetInfoResponse, error) {
	sockets, err := s.Target.SocketsOf(ctx, s.Target.Node)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	answers := map[string]*csi.NodeGetInfoResponse{}
	// Each call goes through a separate container, which takes a while to start.
	asked, ctx := errgroup.WithContext(ctx)
	for _, name := range slices.Sorted(maps.Keys(sockets)) {
		asked.Go(func() error {
			answer, err := nodeInfo(ctx, s, sockets[name])
			mu.Lock()
			defer mu.Unlock()
			answers[name] = answer
			return err
		})
	}
	return answers, asked.Wait()
}

// nodeInfo returns a node plugin's answer to NodeGetInfo.
func nodeInfo(ctx context.Context, s *harness.Scenario, socket dial.Socket) (info *csi.NodeGetInfoResponse, err error) {
	err = askNode(ctx, s, socket, "NodeGetInfo", func(ctx context.Context, node csi.NodeClient) (err error) {
		info, err = node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
		return err
	})
	return info, err
}

// MustClaim skips the case unless the driver on the node claims the capability.
func MustClaim(ctx context.Context, s *harness.Scenario, at topology.Node, wanted csi.NodeServiceCapability_RPC_Type) {
	if !Claims(ctx, s, at, wanted) {
		suite.Skip(suite.ByCapability, "the driver on nodes does not claim %s", wanted)
	}
}

// Claims reports whether the driver on the node claims the capability.
func Claims(ctx context.Context, s *harness.Scenario, at topology.Node, wanted csi.NodeServiceCapability_RPC_Type) bool {
	sockets, err := s.Target.SocketsOf(ctx, s.Target.Node)
	s.Need(err, "looking for the node plugin")
	socket, found := sockets[at.Name]
	if !found {
		suite.CouldNotTell("no pod of the driver runs on node %s", at.Name)
	}
	var claimed *csi.NodeGetCapabilitiesResponse
	s.Need(askNode(ctx, s, socket, "NodeGetCapabilities", func(ctx context.Context, node csi.NodeClient) (err error) {
		claimed, err = node.NodeGetCapabilities(ctx, &csi.NodeGetCapabilitiesRequest{})
		return err
	}), "asking the node plugin what it claims")
	return slices.ContainsFunc(claimed.GetCapabilities(), func(c *csi.NodeServiceCapability) bool { return c.GetRpc().GetType() == wanted })
}

// askNode calls ask with a client of a node plugin.
func askNode(ctx context.Context, s *harness.Scenario, socket dial.Socket, what string, ask func(context.Context, csi.NodeClient) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.Target.Timeouts.Connect)
	defer cancel()
	conn, err := s.Lines.Driver(ctx, socket)
	if err != nil {
		return err
	}
	if err := ask(ctx, csi.NewNodeClient(conn)); err != nil {
		return fmt.Errorf("%s through %s: %w %s", what, socket, err, conn.Complaint())
	}
	return nil
}
