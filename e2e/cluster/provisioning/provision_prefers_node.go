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

// provisionPrefersNode shows the driver's choice without --strict-topology: requisite has every allowed topology or, if the
// class allows all, every topology of the cluster, once and in order. preferred begins at the selected node.
func provisionPrefersNode() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text, behaviour string
		// allowed is the number of zones, of three, that the class allows; 0 means all.
		allowed int
	}{
		{"provision_prefers_node", "asks for every topology of the cluster, beginning with the selected node's, without strict topology", "K8S-B4", 0},
		{"provision_prefers_node_of_allowed", "asks for every topology that the class allows, beginning with the selected node's, without strict topology", "K8S-B5", 2},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{c.behaviour},
			Needs: needs.All(needs.Zones(3), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(3)
				driver := standin.Create(ctx, s, false)
				driver.RegisterIn(ctx, zones...)
				provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--strict-topology=false"}})
				class, wanted := workload.WaitForFirstConsumer(), []predicate.Segment{}
				for i, z := range zones {
					if c.allowed > 0 && i < len(zones)-c.allowed {
						continue
					}
					wanted = append(wanted, driver.Segment(z.Name))
				}
				if c.allowed > 0 {
					class.AllowedIn(wanted...)
				}
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClassAs(ctx, class)).Size(*gi(1)))
				selected := driver.Segment(zones[2].Name)
				provisioner.Provide(ctx, claim, selected)
				pod := pods.Create(ctx, s, workload.PodWith(claim).In(selected))

				asked := provisioner.Requirement(ctx, claim)

				s.Check(predicate.Asked("requisite", asked.GetRequisite(), wanted...))
				s.Check(predicate.Rotated(asked.GetRequisite(), asked.GetPreferred()))
				s.Check(predicate.Begins("preferred", asked.GetPreferred(), selected))
				pods.MustBeScheduled(ctx, s, pod)
			},
		})
	}
	return cases
}
