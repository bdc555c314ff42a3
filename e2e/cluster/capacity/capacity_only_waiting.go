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

// capacityOnlyWaiting shows that nothing is published for Immediate volumes, since the scheduler does not choose their
// zone. Once a later class has its objects, the provisioner has seen the earlier class too.
func capacityOnlyWaiting() harness.Case {
	return harness.Case{
		ID:           "capacity_only_waiting",
		Text:         "publishes no CSIStorageCapacity for a class that binds immediately",
		Requirements: []string{"K8S-D4"},
		Needs:        needs.PublishedCapacity(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			immediate := claims.CreateClass(ctx, s, workload.Immediate())
			room.MustPublishCapacity(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))

			objects, err := room.CapacityObjects(ctx, s, immediate)
			s.Need(err, "reading CSIStorageCapacity objects")
			if len(objects) > 0 {
				s.Fail("class %s binds immediately and has %d CSIStorageCapacity objects, wanted none; the first is %s",
					immediate.Name, len(objects), objects[0].Name)
			}
		},
	}
}
