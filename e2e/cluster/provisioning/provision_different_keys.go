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

// provisionDifferentKeys registers some nodes with region and zone, and others only with a region, as happens while a
// driver is replaced by a release with one more key. A volume that binds immediately may be on either kind of node.
func provisionDifferentKeys() harness.Case {
	return harness.Case{
		ID:           "provision_different_keys",
		Text:         "asks for the topologies of all nodes when a claim binds immediately, though they were registered with different keys",
		Requirements: []string{"K8S-B22"},
		Needs:        needs.All(needs.Zones(2), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			driver := standin.Create(ctx, s, false)
			fine := predicate.Segment{driver.RegionKey(): "fine", driver.ZoneKey(): zones[0].Name}
			coarse := predicate.Segment{driver.RegionKey(): "coarse"}
			driver.Register(ctx, fine, zones[0].NodeNames()...)
			driver.Register(ctx, coarse, zones[1].NodeNames()...)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClassAs(ctx, workload.Immediate())).Size(*gi(1)))
			provisioner.Provide(ctx, claim, coarse)

			asked := provisioner.Requirement(ctx, claim)

			s.PlatformCheck(ctx, "K8S-B22", predicate.AskedForEach("requisite", asked.GetRequisite(), fine, coarse))
			claims.MustBind(ctx, s, claim)
		},
	}
}
