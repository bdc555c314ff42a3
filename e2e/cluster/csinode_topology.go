package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/dial"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What the driver says of a node is what the scheduler reads of it: NodeGetInfo's id and
// topology are in the CSINode and the labels of every node where the plugin runs, with the
// keys that the driver is known by.
func csinodeTopology(t *suite) {
	t.it("shows each node's own topology in its CSINode and labels",
		verdict.Case("csinode_topology", "NI-06", "NI-15", "NI-18", "K8S-B2"),
		func(ctx context.Context, s *scenario) {
			sockets, err := s.socketsOf(ctx, s.target.Node)
			s.need(err, "finding the node plugins")
			nodes := slices.Sorted(maps.Keys(sockets))
			answers := make([]*csi.NodeGetInfoResponse, len(nodes))
			// Each answer comes through a container of its own, which takes a while to start.
			var asked errgroup.Group
			for i, name := range nodes {
				asked.Go(func() (err error) {
					answers[i], err = s.nodeInfo(ctx, sockets[name])
					return err
				})
			}
			s.need(asked.Wait(), "asking the node plugins")

			for i, name := range nodes {
				registered, labelled := &storagev1.CSINode{}, &corev1.Node{}
				registered.Name, labelled.Name = name, name
				s.need(s.reread(ctx, registered), "reading what is registered on node %s", name)
				s.need(s.reread(ctx, labelled), "reading the labels of node %s", name)
				verdict.Evidence("NodeGetInfo of "+name, answers[i])
				s.check(predicate.SameTopology(s.target.Driver, registered, labelled,
					answers[i].GetNodeId(), answers[i].GetAccessibleTopology().GetSegments()))
			}
			s.check(s.unzoned)
		})
}

// nodeInfo asks a node plugin what it says of its node.
func (s *scenario) nodeInfo(ctx context.Context, socket dial.Socket) (*csi.NodeGetInfoResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, s.target.Timeouts.Connect)
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
