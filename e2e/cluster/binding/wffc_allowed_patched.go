// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// wffcAllowedPatched allows a zone in a class, which lets waiting pods run, well before the scheduler retries them by
// itself, as it does every five minutes.
func wffcAllowedPatched() harness.Case {
	return harness.Case{
		ID:           "wffc_allowed_patched",
		Text:         "runs a waiting pod as soon as the class allows its zone",
		Requirements: []string{"K8S-A10"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().AllowedIn(zones[0].Segment))
			claim := claims.Create(ctx, s, class)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))
			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoVolumeToBind)

			claims.AllowClassIn(ctx, s, class, zones...)

			claims.MustBindIn(ctx, s, claim, zones[1])
			pods.MustRunIn(ctx, s, pod, zones[1])
		},
	}
}
