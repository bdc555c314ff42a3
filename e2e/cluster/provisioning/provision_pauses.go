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
)

// provisionPauses makes CreateVolume fail: the call is repeated after growing pauses, up to a limit.
func provisionPauses() harness.Case {
	return harness.Case{
		ID:           "provision_pauses",
		Text:         "repeats a failed CreateVolume after pauses that double, up to a limit",
		Requirements: []string{"K8S-O6"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			// Pauses of 0.1, 0.2, 0.4 and 0.8 seconds, and four of the limit; without it, the last would take 12.8 seconds.
			const first, limit, failures = 100 * time.Millisecond, 800 * time.Millisecond, 9
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Flags: []string{
				"--retry-interval-start=" + first.String(), "--retry-interval-max=" + limit.String(),
			}})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(driver.CreateClass(ctx)).Size(*gi(1)))
			provisioner.Rule(ctx, provisioner.Refuse(claim, "INTERNAL"))

			claims.Select(ctx, s, claim, zone.Nodes[0].Name)
			calls := provisioner.MustBeAsked(ctx, claim, predicate.AskedTimes(failures))
			s.PlatformCheck(ctx, "K8S-O6", predicate.PausesBegin(calls, limit))
			s.PlatformCheck(ctx, "K8S-O6", predicate.PausesDouble(calls, first, limit))
			s.PlatformCheck(ctx, "K8S-O6", predicate.PausesEnd(calls, limit))
		},
	}
}
