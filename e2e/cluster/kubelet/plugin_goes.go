// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// pluginGoes removes a node plugin: its entries in the CSINode and in the Node's annotation are removed, and the labels
// stay, since volumes still depend on them.
func pluginGoes() harness.Case {
	return harness.Case{
		ID:           "plugin_goes",
		Text:         "removes a driver whose node plugin is gone from the CSINode and the Node's annotation, and leaves the Node's labels",
		Requirements: []string{"K8S-Q6", "K8S-Q7"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			driver := standin.CreateInline(ctx, s, "leaving", storagev1.CSIDriverSpec{})
			driver.ForgetLabels(at)
			plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{driver}, info(s, driver, at))
			plugin.MustBeKnown(ctx, driver, driver.Segment("late"))

			plugin.Remove(ctx)

			plugin.MustBeUnregistered(ctx)
			node := &corev1.Node{}
			node.Name = at.Name
			s.PlatformMust(ctx, s.Target.Timeouts.Restart, "K8S-Q7", "node "+at.Name+" without the driver", s.Look(node, func() error {
				return predicate.NodeForgot(node, driver.Driver.Name, driver.Segment("late"))
			}))
		},
	}
}
