// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A raw block volume grows under a running pod: its device shows it, takes data in what is new, and keeps what it had. No
// file system has to grow, so a driver may have nothing to do on the node.
func blockGrows() harness.Case {
	return harness.Case{
		ID:           "block_grows",
		Text:         "grows a raw block volume in use, as its device shows inside the pod",
		Requirements: []string{"PC-07", "CE-05", "K8S-H9"},
		Needs:        harness.Needs(harness.Block(), harness.Expansion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claimDevice(ctx, s)
			pod := s.CreatePod(ctx, workload.PodWithDevice(claim))
			s.MustRun(ctx, pod)
			before := s.MustBeDevice(ctx, pod, s.Target.VolumeSize)
			s.MustWriteDevice(ctx, pod, before, s.Namespace)

			after := s.MustGrowDevice(ctx, pod, claim)

			s.MustReadDevice(ctx, pod, before, s.Namespace)
			s.MustWriteDevice(ctx, pod, after, s.Namespace+"-grown")
			s.MustReadDevice(ctx, pod, after, s.Namespace+"-grown")
		},
	}
}
