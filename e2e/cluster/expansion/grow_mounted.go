// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume grows under a running pod: the claim, the volume and, inside the pod, df show
// it, and the data stay.
func growMounted() harness.Case {
	return harness.Case{
		ID:           "grow_mounted",
		Text:         "grows a mounted volume, as df shows inside the pod",
		Requirements: []string{"PC-07", "CE-05", "CE-13", "K8S-H2"},
		Needs:        harness.Expansion(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRun(ctx, pod)
			s.Write(ctx, pod, s.Namespace)

			s.MustGrowUnder(ctx, pod, claim)

			s.MustRead(ctx, pod, s.Namespace)
		},
	}
}
