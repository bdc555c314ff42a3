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
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionRepeated makes a driver fail more often than the default of the provisioners' library, which gives up after 15
// failures. The claim is not changed meanwhile, and gets its volume once the driver works again.
func provisionRepeated() harness.Case {
	return harness.Case{
		ID:           "provision_repeated",
		Text:         "repeats a CreateVolume that fails 20 times, until it succeeds",
		Requirements: []string{"K8S-O5"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const failures = 20
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--retry-interval-start=10ms", "--retry-interval-max=100ms"}})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
			refused := provisioner.Refuse(claim, "INTERNAL")
			refused.Times = failures
			provisioner.Rule(ctx, refused)
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))

			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			var calls []trace.Call
			repeated := s.PlatformMust(ctx, s.Target.Timeouts.Bind, "K8S-O5", "CreateVolume repeated", func(ctx context.Context) (err error) {
				if calls, err = provisioner.Created(ctx, claim); err != nil {
					return err
				}
				return predicate.RepeatedUntilOK(calls)
			})
			suite.Evidence(ctx, "calls of CreateVolume", len(calls))
			if repeated {
				claims.MustBind(ctx, s, claim)
			}
		},
	}
}
