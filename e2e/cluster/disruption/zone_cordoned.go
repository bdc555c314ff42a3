// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// No node of a volume's only zone takes pods any more: a pod with the volume waits for them, and does not go to another
// zone. It runs, with its data, as soon as they do.
func zoneCordoned() harness.Case {
	return harness.Case{
		ID:           "zone_cordoned",
		Text:         "keeps a pod waiting while the only zone of its volume is cordoned, and does not move it",
		Requirements: []string{"K8S-B19"},
		Needs:        harness.Needs(harness.Zones(2), harness.ChangesNodes(), harness.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.SmallestZone()
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(zone.Segment)))
			s.MustBindIn(ctx, claim, zone)
			before := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRunIn(ctx, before, zone)
			s.Write(ctx, before, s.Namespace)
			s.Remove(ctx, before)

			s.Cordon(ctx, zone.Nodes...)
			after := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustBeUnschedulable(ctx, after, predicate.OtherTopology, predicate.Cordoned)

			s.Uncordon(ctx, zone.Nodes...)
			s.MustRunIn(ctx, after, zone)
			s.MustRead(ctx, after, s.Namespace)
		},
	}
}
