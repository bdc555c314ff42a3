// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A pod that must be where the class allows no volume is refused before the driver is asked.
func wffcAllowedExcludesPod() harness.Case {
	return harness.Case{
		ID:           "wffc_allowed_excludes_pod",
		Text:         "refuses a pod in a zone where the class allows no volume, and makes none",
		Requirements: []string{"K8S-A6"},
		Needs:        harness.Needs(harness.Apart(), harness.Zones(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer().AllowedIn(zones[0].Segment))
			claim := s.CreateClaim(ctx, class)
			selected := s.WatchSelectedNode(ctx, claim)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zones[1].Segment))

			s.MustBeUnschedulable(ctx, pod, predicate.NoVolumeToBind)
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.Check(predicate.ClaimWithoutVolume(claim))
			s.MustNeverSelect(ctx, claim, selected, zones...)
			s.MustHoldNothingNew(ctx)
		},
	}
}
