// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// csinodeTopology compares the driver's answers about nodes with the objects that the scheduler reads: the id and topology
// of NodeGetInfo are in the CSINode and the labels of every node where the plugin runs, with the driver's own keys.
func csinodeTopology() harness.Case {
	return harness.Case{
		ID:           "csinode_topology",
		Text:         "shows each node's own topology in its CSINode and labels",
		Requirements: []string{"NI-06", "NI-15", "NI-18", "K8S-B2"},
		Needs:        needs.NodeService(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			answers, err := nodeplugin.Infos(ctx, s)
			s.Need(err, "asking the node plugins")

			for _, name := range slices.Sorted(maps.Keys(answers)) {
				registered, labelled := &storagev1.CSINode{}, &corev1.Node{}
				registered.Name, labelled.Name = name, name
				s.Need(s.Reread(ctx, registered), "reading what is registered on node %s", name)
				s.Need(s.Reread(ctx, labelled), "reading the labels of node %s", name)
				suite.Evidence(ctx, "NodeGetInfo of "+name, answers[name])
				s.Check(predicate.SameTopology(s.Target.Driver, registered, labelled,
					answers[name].GetNodeId(), answers[name].GetAccessibleTopology().GetSegments()))
			}
			s.Check(s.Unzoned)
		},
	}
}
