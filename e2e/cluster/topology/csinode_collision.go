// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
)

// csinodeCollision labels a node with another zone than the driver's. When the driver restarts there, the kubelet does not
// register it: it keeps trying, and succeeds once the label is right.
func csinodeCollision() harness.Case {
	return harness.Case{
		ID:           "csinode_collision",
		Text:         "does not register the driver on a node whose label names another zone than the driver, until the label is corrected",
		Requirements: []string{"K8S-B3"},
		Needs:        needs.All(needs.Zones(1), needs.DriverRestart(), needs.RecorderOnNodes(), needs.ChangesNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			node := s.Zones(1)[0].Nodes[0]
			plugin := nodeplugin.On(ctx, s, node)
			mislabelled := nodeplugin.Mislabel(ctx, s, plugin)

			mislabelled.MustNotRegister(ctx, "K8S-B3")

			mislabelled.MustRegister(ctx)
		},
	}
}
