// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// blockGrows grows a raw block volume under a running pod: its device shows the new size, accepts data in the new part, and
// keeps the old data. As no file system has to grow, a driver may have nothing to do on the node.
func blockGrows() harness.Case {
	return harness.Case{
		ID:           "block_grows",
		Text:         "grows a raw block volume in use, as its device shows inside the pod",
		Requirements: []string{"PC-07", "CE-05", "K8S-H9"},
		Needs:        needs.All(needs.Block(), needs.Expansion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claimDevice(ctx, s)
			pod := pods.Create(ctx, s, workload.PodWithDevice(claim))
			pods.MustRun(ctx, s, pod)
			before := data.MustBeDevice(ctx, s, pod, s.Target.VolumeSize)
			data.MustWriteDevice(ctx, s, pod, before, s.Namespace)

			after := growth.MustDoubleDevice(ctx, s, pod, claim)

			data.MustReadDevice(ctx, s, pod, before, s.Namespace)
			data.MustWriteDevice(ctx, s, pod, after, s.Namespace+"-grown")
			data.MustReadDevice(ctx, s, pod, after, s.Namespace+"-grown")
		},
	}
}
