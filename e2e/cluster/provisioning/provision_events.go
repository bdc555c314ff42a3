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

// provisionEvents reads the events of a claim, in which users follow its progress. Here the driver refuses the volume once,
// and then creates it: the events must show both.
func provisionEvents() harness.Case {
	return harness.Case{
		ID:           "provision_events",
		Text:         "says in the events of a claim that provisioning began, failed, and then succeeded",
		Requirements: []string{"K8S-O20"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
			refused := provisioner.Refuse(claim, "INTERNAL")
			refused.Times = 1
			provisioner.Rule(ctx, refused)
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))

			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			claims.MustBind(ctx, s, claim)
			provisioner.MustBeAsked(ctx, claim, predicate.AnsweredAs("INTERNAL", 1))
			s.PlatformMust(ctx, s.Target.Timeouts.Notice, "K8S-O20", "events of claim "+claim.Name, func(context.Context) error {
				return predicate.EventsInOrder(s.Events(), claim.UID, "Provisioning", "ProvisioningFailed", "ProvisioningSucceeded")
			})
		},
	}
}
