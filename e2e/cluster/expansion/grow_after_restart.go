// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growAfterRestart grows a volume under a running pod that mounted it before the driver restarted on its node, and checks
// that its data remain.
func growAfterRestart() harness.Case {
	return harness.Case{
		ID:           "grow_after_restart",
		Text:         "grows a mounted volume after the driver restarted on its node",
		Requirements: []string{"PC-07", "CE-05", "CE-13", "K8S-H2"},
		Needs:        needs.All(needs.Expansion(), needs.DriverRestart()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			data.Write(ctx, s, pod, s.Namespace)

			nodeplugin.MustRestart(ctx, s, nodeplugin.On(ctx, s, s.NodeOf(pod)))
			pods.MustGoOn(ctx, s, pod)

			growth.MustDouble(ctx, s, pod, claim)

			data.MustRead(ctx, s, pod, s.Namespace)
		},
	}
}
