// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// wffcWaitsForConsumer creates a claim without a pod: its node is not yet known, so no volume is created.
func wffcWaitsForConsumer() harness.Case {
	return harness.Case{
		ID:           "wffc_waits_for_consumer",
		Text:         "creates no volume before a pod exists",
		Requirements: []string{"K8S-A1"},
		Needs:        needs.Apart(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))

			claims.MustWaitWithoutVolume(ctx, s, claim, "WaitForFirstConsumer")
		},
	}
}
