// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A class that comes to allow a zone lets the pods waiting for it run, well before the
// scheduler would look at them again by itself, which it does every five minutes.
func wffcAllowedPatched() harness.Case {
	return harness.Case{
		ID:           "wffc_allowed_patched",
		Text:         "runs a waiting pod as soon as the class allows its zone",
		Requirements: []string{"K8S-A10"},
		Needs:        harness.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer().AllowedIn(zones[0].Segment))
			claim := s.CreateClaim(ctx, class)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zones[1].Segment))
			s.MustBeUnschedulable(ctx, pod, predicate.NoVolumeToBind)

			s.AllowClassIn(ctx, class, zones...)

			s.MustBindIn(ctx, claim, zones[1])
			s.MustRunIn(ctx, pod, zones[1])
		},
	}
}
