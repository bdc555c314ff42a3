// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// The scheduler learns of room from one object per class and topology.
func capacityPerZone() harness.Case {
	return harness.Case{
		ID:           "capacity_per_zone",
		Text:         "publishes one CSIStorageCapacity per zone for a class that waits for its consumer",
		Requirements: []string{"K8S-D1", "K8S-D3"},
		Needs:        needs.PublishedCapacity(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			room.MustPublishCapacity(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
		},
	}
}
