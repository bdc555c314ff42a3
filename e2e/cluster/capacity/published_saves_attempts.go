// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// publishedSavesAttempts creates pods that prefer a zone without room for their volumes. Without capacity tracking,
// that only shows when the volume is requested there; with it, the pod goes to the other zone at once.
func publishedSavesAttempts() harness.Case {
	return harness.Case{
		ID:           "published_saves_attempts",
		Text:         "asks for a volume fewer times where capacity is tracked than where it is not",
		Requirements: []string{"K8S-E17"},
		Needs:        needs.All(needs.Zones(2), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			full, free := zones[0], zones[1]
			attempts := func(driver *standin.StandIn, tracked bool) []trace.Call {
				driver.RegisterIn(ctx, zones...)
				how := standin.Provisioning{Flags: []string{"--strict-topology=true"}}
				if tracked {
					how = publishing(full.Name, 0)
					how.Room[free.Name] = gi(10).Value()
				}
				provisioner := driver.StartProvisioner(ctx, how)
				class := driver.CreateClass(ctx)
				if tracked {
					provisioner.MustPublish(ctx, class, full.Name, 0)
					provisioner.MustPublish(ctx, class, free.Name, gi(10).Value())
				}
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				provisioner.RefuseIn(ctx, claim, driver.Segment(full.Name), "RESOURCE_EXHAUSTED", 1)
				for _, zone := range zones { // the full zone gets room
					provisioner.ProvideIn(ctx, claim, driver.Segment(zone.Name))
				}
				pods.Create(ctx, s, workload.PodWith(claim).Preferring(driver.Segment(full.Name)).
					InAny(driver.Segment(full.Name), driver.Segment(free.Name)))
				claims.MustBind(ctx, s, claim)
				return provisioner.MustBeAsked(ctx, claim, predicate.AnsweredAs("OK", 1))
			}

			with := attempts(standin.Create(ctx, s, true), true)
			without := attempts(standin.CreateAttaching(ctx, s, "untracked", false), false)
			s.PlatformCheck(ctx, "K8S-E17", predicate.FewerAttempts(with, without))
		},
	}
}
