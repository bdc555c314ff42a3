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

// provisionNode removes the driver from the selected node for a while, as a restart does: the node stays selected, the
// driver is not called, and the claim gets its volume there as soon as the driver is back.
func provisionNode() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text  string
		behaviour []string
		lose      func(context.Context, *standin.StandIn, string, predicate.Segment)
	}{
		{
			"provision_node_unregistered", "waits for the driver on the selected node to be registered there", []string{"K8S-B13"},
			func(ctx context.Context, driver *standin.StandIn, node string, _ predicate.Segment) {
				driver.Unregister(ctx, node)
			},
		},
		{
			"provision_node_unlabelled", "waits for the labels of the driver's topology keys on the selected node", []string{"K8S-B13", "K8S-B14"},
			func(ctx context.Context, driver *standin.StandIn, node string, _ predicate.Segment) {
				driver.Relabel(ctx, nil, node)
			},
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: c.behaviour,
			Needs: needs.All(needs.Zones(2), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(2)
				driver := standin.Create(ctx, s, false)
				driver.RegisterIn(ctx, zones...)
				node, segment := zones[0].Nodes[0], driver.Segment(zones[0].Name)
				c.lose(ctx, driver, node.Name, segment)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--strict-topology=true"}})
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
				provisioner.Provide(ctx, claim, segment)
				selected := claims.WatchSelectedNode(ctx, s, claim)
				pod := pods.Create(ctx, s, workload.PodWith(claim).OnNode(node.Hostname))
				s.Until(ctx, s.Target.Timeouts.Bind, "provisioning refused for the node", func(context.Context) error {
					return predicate.EventSays(s.Events(), claim.UID, "ProvisioningFailed")
				})
				calls, err := provisioner.Created(ctx, claim)
				s.Need(err, "reading the provisioner's calls")
				s.Check(predicate.NotAsked(calls))

				driver.Register(ctx, segment, node.Name)

				claims.MustBind(ctx, s, claim)
				s.Check(predicate.Asked("requisite", provisioner.Requirement(ctx, claim).GetRequisite(), segment))
				pods.MustBeScheduled(ctx, s, pod)
				claims.MustSelectAs(ctx, s, claim, selected, func(nodes []string) error { return predicate.Kept(nodes, node.Name) })
			},
		})
	}
	return cases
}
