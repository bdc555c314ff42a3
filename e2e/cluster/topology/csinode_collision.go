// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// A node is labelled with another zone than the driver says it is in. When the driver restarts there, the kubelet does not
// register it: it tries again and again, and does once the label is right.
func csinodeCollision() harness.Case {
	return harness.Case{
		ID:           "csinode_collision",
		Text:         "does not register the driver on a node whose label is another zone than the driver's, until the label is right",
		Requirements: []string{"K8S-B3"},
		Needs:        harness.Needs(harness.Zones(1), harness.DriverRestart(), harness.RecorderOnNodes(), harness.ChangesNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			node := s.Zones(1)[0].Nodes[0]
			plugin := s.NodePluginOn(ctx, node)
			mislabelled := s.Mislabel(ctx, plugin)

			mislabelled.MustNotRegister(ctx, "K8S-B3")

			mislabelled.MustRegister(ctx)
		},
	}
}
