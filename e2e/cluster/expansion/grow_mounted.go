// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growMounted grows a volume under a running pod: the claim, the volume and, inside the pod, df show the new size, and the
// data remain.
func growMounted() harness.Case {
	return harness.Case{
		ID:           "grow_mounted",
		Text:         "grows a mounted volume, as df shows inside the pod",
		Requirements: []string{"PC-07", "CE-05", "CE-13", "K8S-H2"},
		Needs:        needs.Expansion(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			data.Write(ctx, s, pod, s.Namespace)

			growth.MustDouble(ctx, s, pod, claim)

			data.MustRead(ctx, s, pod, s.Namespace)
		},
	}
}
