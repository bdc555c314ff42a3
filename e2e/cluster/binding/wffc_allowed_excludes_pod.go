// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// wffcAllowedExcludesPod refuses a pod in a zone where the class allows no volume, before the driver is called.
func wffcAllowedExcludesPod() harness.Case {
	return harness.Case{
		ID:           "wffc_allowed_excludes_pod",
		Text:         "refuses a pod in a zone where the class allows no volume, and creates none",
		Requirements: []string{"K8S-A6"},
		Needs:        needs.All(needs.Apart(), needs.Zones(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().AllowedIn(zones[0].Segment))
			claim := claims.Create(ctx, s, class)
			selected := claims.WatchSelectedNode(ctx, s, claim)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))

			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoVolumeToBind)
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.Check(predicate.ClaimWithoutVolume(claim))
			claims.MustNeverSelect(ctx, s, claim, selected, zones...)
			room.MustHoldNothingNew(ctx, s)
		},
	}
}
