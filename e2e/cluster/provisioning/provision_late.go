// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionLate delays the creation of a volume beyond the provisioner's timeout. The provisioner cancels the call, and
// repeats it with the same name, from which a driver recognizes the volume that it has created meanwhile.
func provisionLate() harness.Case {
	return harness.Case{
		ID:           "provision_late",
		Text:         "cancels a CreateVolume that takes longer than --timeout, and repeats the same request until there is one volume",
		Requirements: []string{"K8S-O9"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const timeout, takes, late = 3 * time.Second, 20 * time.Second, 2
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--timeout=" + timeout.String()}})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
			slow := provisioner.Volume(claim, driver.Segment(zone.Name))
			slow.Delay, slow.Times = trace.Duration(takes), late
			provisioner.Rule(ctx, slow)
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))

			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			s.PlatformMust(ctx, s.Target.Timeouts.Bind, "K8S-O9", "CreateVolume cancelled", func(ctx context.Context) error {
				calls, err := provisioner.Created(ctx, claim)
				if err != nil {
					return err
				}
				return predicate.CancelledAfter(timeout, late)(calls)
			})
			calls := provisioner.MustBeAsked(ctx, claim, predicate.AnsweredAs("OK", 1))
			s.PlatformCheck(ctx, "K8S-O9", predicate.AskedAlike(calls))
			volume := claims.MustBind(ctx, s, claim)
			made, err := harness.VolumesOf(ctx, s, driver.Driver.Name)
			s.Need(err, "reading the driver's volumes")
			suite.Evidence(ctx, "volumes of the driver", len(made))
			s.PlatformCheck(ctx, "K8S-O9", predicate.OnlyVolume(made, volume.Name))
		},
	}
}
