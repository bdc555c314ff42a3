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

// provisionerWaitsForDriver uses a driver that serves its socket before it is ready, and reports that. Only Probe is
// called, though a claim waits; once the driver is ready, the claim gets its volume.
func provisionerWaitsForDriver() harness.Case {
	return harness.Case{
		ID:           "provisioner_waits_for_driver",
		Text:         "calls nothing but Probe until the driver says that it is ready, and then provisions a volume",
		Requirements: []string{"K8S-R5"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const probes = 3
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{NotReady: true})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))
			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			before, err := provisioner.Recorded(ctx)
			s.Need(err, "reading the provisioner's calls")

			s.PlatformMust(ctx, s.Target.Timeouts.Bind, "K8S-R5", "driver asked whether it is ready", func(ctx context.Context) error {
				calls, err := provisioner.Recorded(ctx)
				if err != nil {
					return err
				}
				return predicate.ProbedAlone(len(before) + probes)(calls)
			})
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.PlatformCheck(ctx, "K8S-R5", predicate.ClaimWithoutVolume(claim))

			provisioner.SayReady(ctx)
			claims.MustBind(ctx, s, claim)
		},
	}
}
