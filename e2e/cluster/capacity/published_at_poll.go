// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// publishedAtPoll changes the room outside of the provisioner, as growth does; the provisioner notices at its next poll.
// Until then the object is stale: a pod that would now fit waits, and is scheduled after the poll.
func publishedAtPoll() harness.Case {
	return harness.Case{
		ID:           "published_at_poll",
		Text:         "publishes a change of capacity that it did not cause at the next poll, which lets a waiting pod be scheduled",
		Requirements: []string{"K8S-D9", "K8S-F11"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const interval = 4 * time.Second
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zone)
			segment := driver.Segment(zone.Name)
			provisioner := driver.StartProvisioner(ctx, publishing(zone.Name, gi(2).Value(), "--capacity-poll-interval="+interval.String()))
			class := driver.CreateClass(ctx)
			provisioner.MustPublish(ctx, class, zone.Name, gi(2).Value())

			provisioner.Say(ctx, zone.Name, gi(1).Value()/2)
			suite.About([]string{"K8S-D9"}, func() { provisioner.MustPublish(ctx, class, zone.Name, gi(1).Value()/2) })

			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
			provisioner.Provide(ctx, claim, segment)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(segment))
			suite.About([]string{"K8S-F11"}, func() { pods.MustBeUnschedulable(ctx, s, pod, predicate.NoStorage) })
			provisioner.Say(ctx, zone.Name, gi(5).Value())
			suite.About([]string{"K8S-F11"}, func() { pods.MustBeScheduled(ctx, s, pod) })
			claims.MustBind(ctx, s, claim)
		},
	}
}
