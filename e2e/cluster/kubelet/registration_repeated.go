// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"encoding/json"
	"fmt"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// registrationRepeated makes NodeGetInfo fail when a node plugin starts: the kubelet reports that it has not
// registered the driver, asks again, and registers it once there is an answer.
func registrationRepeated() harness.Case {
	return harness.Case{
		ID:           "registration_repeated",
		Text:         "does not register a driver on a node while NodeGetInfo fails, asks again, and registers it with what the driver then returns",
		Requirements: []string{"NI-20", "K8S-Q6"},
		Needs:        needs.All(needs.OwnNodePlugin(), needs.Kubernetes("1.36", "kubelets repeat a registration that failed")),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			driver := standin.CreateInline(ctx, s, "late", storagev1.CSIDriverSpec{})
			driver.ForgetLabels(at)
			failing := trace.Rule{ID: "failing", Method: "NodeGetInfo", Code: "INTERNAL", Message: "said by csi-topo"}
			plugin := standin.Deploy(ctx, s, at, []*standin.StandIn{driver}, failing, info(s, driver, at))

			const refusals = 2
			s.Until(ctx, s.Target.Timeouts.Restart, "calls of NodeGetInfo", func(ctx context.Context) error {
				return predicate.AnsweredAs("INTERNAL", refusals)(plugin.Asked(ctx, "NodeGetInfo"))
			})
			registered := &storagev1.CSINode{}
			registered.Name = at.Name
			s.Need(s.Reread(ctx, registered), "reading CSINode %s", at.Name)
			s.PlatformCheck(ctx, "NI-20", predicate.Unregistered(registered, driver.Driver.Name))
			s.PlatformMust(ctx, s.Target.Timeouts.Restart, "NI-20", "kubelet says that it has not registered the driver", func(ctx context.Context) error {
				return predicate.RegistrationSaid(plugin.Notified(ctx), false)
			})
			plugin.End(ctx, failing.ID)
			plugin.MustBeRegistered(ctx)
			s.PlatformMust(ctx, s.Target.Timeouts.Restart, "NI-20", "kubelet says that it has registered the driver", func(ctx context.Context) error {
				return predicate.RegistrationSaid(plugin.Notified(ctx), true)
			})
			suite.Evidence(ctx, "NodeGetInfo", plugin.Asked(ctx, "NodeGetInfo"))
			plugin.MustBeKnown(ctx, driver, driver.Segment("late"))
		},
	}
}

// info returns the rule with which a plugin answers that the node is in one of the driver's segments.
func info(s *harness.Scenario, driver *standin.StandIn, at topology.Node) trace.Rule {
	segments, err := json.Marshal(driver.Segment("late"))
	s.Need(err, "writing an answer")
	return trace.Rule{ID: "located", Method: "NodeGetInfo", Answer: fmt.Appendf(nil, `{"node_id":%q,"accessible_topology":{"segments":%s}}`, at.Name, segments)}
}
