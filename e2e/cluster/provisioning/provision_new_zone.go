// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionNewZone shows that requisite follows the cluster at the time of the request, not at the provisioner's start.
func provisionNewZone() harness.Case {
	return harness.Case{
		ID:           "provision_new_zone",
		Text:         "asks for the topology of a node that has joined in a new zone, and no longer once it has left",
		Requirements: []string{"K8S-B15"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{})
			class := driver.CreateClassAs(ctx, workload.Immediate())
			before, joined := driver.Segment(zone.Name), driver.Segment("zz-joined")
			asksFor := func(wanted ...predicate.Segment) {
				// The provisioner's view of nodes may be slightly stale, so claims are created until it is up to date. The
				// limit does not cut a request short: then there would be no verdict, even if every earlier request was
				// wrong.
				s.Until(ctx, s.Target.Timeouts.Bind, "requisite of a new claim", func(context.Context) error {
					claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
					provisioner.Provide(ctx, claim, before)
					return predicate.NotYet(predicate.Asked("requisite", provisioner.Requirement(ctx, claim).GetRequisite(), wanted...))
				})
			}
			asksFor(before)

			node, _ := driver.CreateNode(ctx, joined)
			asksFor(before, joined)

			driver.DeleteNode(ctx, node)
			asksFor(before)
		},
	}
}
