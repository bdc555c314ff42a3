// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// provisionAsksForNothing sets --immediate-topology=false: a claim that binds immediately goes where the driver chooses,
// since no topology is requested, unless the class restricts topologies.
func provisionAsksForNothing() harness.Case {
	return harness.Case{
		ID:           "provision_asks_for_nothing",
		Text:         "asks for no topology when a claim binds immediately, with --immediate-topology=false",
		Requirements: []string{"K8S-B8"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{"--immediate-topology=false"}})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClassAs(ctx, workload.Immediate())).Size(*gi(1)))
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))

			if asked := provisioner.Requirement(ctx, claim); asked != nil {
				s.Fail("the provisioner asked for the topology %v, want none", asked)
			}
			claims.MustBind(ctx, s, claim)
		},
	}
}
