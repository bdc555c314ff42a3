// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionElsewhere fills the selected node's zone for a driver that gets the other zones in the request: it may put the
// volume into one of them, or refuse. Either way the pod ends up where its volume is.
func provisionElsewhere() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		refuses  bool
	}{
		{"provision_elsewhere", "sends a pod after its volume, which the driver put into another zone than the selected node's", false},
		{"provision_elsewhere_after_refusal", "sends a pod to another zone when the driver refuses, though the request named all zones", true},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-C19"},
			Needs: needs.All(needs.Zones(2), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(2)
				full, free := zones[0], zones[1]
				driver := standin.Create(ctx, s, true)
				driver.RegisterIn(ctx, zones...)
				room := map[string]int64{full.Name: gi(10).Value(), free.Name: gi(10).Value()}
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{
					Flags: []string{"--strict-topology=false", "--enable-capacity", "--capacity-ownerref-level=-1", "--capacity-poll-interval=1h"}, Room: room,
				})
				class := driver.CreateClass(ctx)
				provisioner.MustPublish(ctx, class, full.Name, room[full.Name])
				provisioner.MustPublish(ctx, class, free.Name, room[free.Name])
				provisioner.Say(ctx, full.Name, 0) // not yet published
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				if c.refuses {
					refuse := provisioner.Refuse(claim, "RESOURCE_EXHAUSTED")
					refuse.Times = 1
					provisioner.Rule(ctx, refuse)
				}
				provisioner.Provide(ctx, claim, driver.Segment(free.Name))
				selected := claims.WatchSelectedNode(ctx, s, claim)
				pod := pods.Create(ctx, s, workload.PodWith(claim).Preferring(driver.Segment(full.Name)).
					InAny(driver.Segment(full.Name), driver.Segment(free.Name)))

				pods.MustBeScheduled(ctx, s, pod)

				claims.MustBind(ctx, s, claim)
				s.Check(predicate.PodOn(pod, free.NodeNames()))
				claims.MustSelectAs(ctx, s, claim, selected, func(nodes []string) error { return predicate.SelectedFirst(nodes, full.NodeNames()) })
			},
		})
	}
	return cases
}
