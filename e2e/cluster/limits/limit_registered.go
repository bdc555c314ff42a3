// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"context"
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// limitRegistered compares the limit of volumes that the driver reports with the limit that the scheduler reads, for every
// node.
func limitRegistered() harness.Case {
	return harness.Case{
		ID:           "limit_registered",
		Text:         "shows in each CSINode the limit of volumes that the driver reports for the node",
		Requirements: []string{"K8S-J1", "NI-13"},
		Needs:        needs.All(needs.NodeService(), needs.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			answers, err := nodeplugin.Infos(ctx, s)
			s.Need(err, "asking the node plugins")
			shown := map[string]int64{}
			for _, name := range slices.Sorted(maps.Keys(answers)) {
				shown[name] = answers[name].GetMaxVolumesPerNode()
				// One node is enough to show that the platform is wrong: each of the others would take as long.
				if !nodeplugin.MustLimit(ctx, s, topology.Node{Name: name}, "K8S-J1", shown[name]) {
					return
				}
			}
			suite.Evidence(ctx, "max_volumes_per_node", shown)
		},
	}
}
