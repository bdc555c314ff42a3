// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume that was mounted before the driver restarted on its node grows under its running
// pod, and the data stay.
func growAfterRestart() harness.Case {
	return harness.Case{
		ID:           "grow_after_restart",
		Text:         "grows a mounted volume after the driver restarted on its node",
		Requirements: []string{"PC-07", "CE-05", "CE-13", "K8S-H2"},
		Needs:        harness.Needs(harness.Expansion(), harness.DriverRestart()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRun(ctx, pod)
			s.Write(ctx, pod, s.Namespace)

			s.MustRestart(ctx, s.NodePluginOn(ctx, s.NodeOf(pod)))
			s.MustGoOn(ctx, pod)

			s.MustGrowUnder(ctx, pod, claim)

			s.MustRead(ctx, pod, s.Namespace)
		},
	}
}
