package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/cluster/dial"
)

// NodeInfos are the answers of all node plugins to NodeGetInfo, by the names of their nodes.
func (s *Scenario) NodeInfos(ctx context.Context) (map[string]*csi.NodeGetInfoResponse, error) {
	sockets, err := s.Target.socketsOf(ctx, s.Target.Node)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	answers := map[string]*csi.NodeGetInfoResponse{}
	// Each answer comes through a container of its own, which takes a while to start.
	asked, ctx := errgroup.WithContext(ctx)
	for _, name := range slices.Sorted(maps.Keys(sockets)) {
		asked.Go(func() error {
			answer, err := s.nodeInfo(ctx, sockets[name])
			mu.Lock()
			defer mu.Unlock()
			answers[name] = answer
			return err
		})
	}
	return answers, asked.Wait()
}

// Unzoned says which node lacks one of the driver's topology keys; nil when all have them.
func (s *Scenario) Unzoned() error { return s.unzoned }

// nodeInfo asks a node plugin what it says of its node.
func (s *Scenario) nodeInfo(ctx context.Context, socket dial.Socket) (*csi.NodeGetInfoResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Target.Timeouts.Connect)
	defer cancel()
	conn, err := s.dialer.Open(ctx, socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	info, err := csi.NewNodeClient(conn).NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
	if err != nil {
		return nil, fmt.Errorf("NodeGetInfo through %s: %w %s", socket, err, conn.Complaint())
	}
	return info, nil
}
