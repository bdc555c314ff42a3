// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"
	"errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// metricsOfProvisioner reads the numbers of volumes of a class that the provisioner has provisioned and deleted, the
// durations, and the failed attempts. Here the driver refuses twice to create a volume, and twice to delete it, before it
// succeeds.
func metricsOfProvisioner() harness.Case {
	return harness.Case{
		ID:           "metrics_of_provisioner",
		Text:         "counts the volumes of a class that were provisioned and deleted, and the attempts that failed, in the provisioner's metrics",
		Requirements: []string{"K8S-K4"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const port, refusals = 8081, 2
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--http-endpoint=:8081", "--retry-interval-start=200ms"}})
			class := driver.CreateClass(ctx)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))
			refused := provisioner.Refuse(claim, "INTERNAL")
			refused.Times = refusals
			provisioner.Rule(ctx, refused)
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))
			provisioner.Rule(ctx, trace.Rule{Method: "DeleteVolume", Code: "INTERNAL", Message: "said by csi-topo", Times: refusals})
			provisioner.Deletes(ctx)

			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			volume := claims.MustBind(ctx, s, claim)
			claims.MustDelete(ctx, s, claim, volume)

			s.PlatformMust(ctx, s.Target.Timeouts.Notice, "K8S-K4", "metrics of class "+class.Name, func(ctx context.Context) error {
				created, createdErr := provisioner.Created(ctx, claim)
				deleted, deletedErr := provisioner.Deleted(ctx, claim)
				found, err := provisioner.Scrape(ctx, port)
				if err := errors.Join(createdErr, deletedErr, err); err != nil {
					return err
				}
				return predicate.ProvisioningCounted(found, class.Name, created, deleted)
			})
		},
	}
}
