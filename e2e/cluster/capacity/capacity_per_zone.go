// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// capacityPerZone checks that each class and topology has one object, in which the scheduler finds the room.
func capacityPerZone() harness.Case {
	return harness.Case{
		ID:           "capacity_per_zone",
		Text:         "publishes one CSIStorageCapacity per zone for a class that waits for its consumer",
		Requirements: []string{"K8S-D1", "K8S-D3"},
		Needs:        needs.PublishedCapacity(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := claims.CreateClassOf(ctx, s, s.Target.Driver, workload.WaitForFirstConsumer())
			suite.Each([]func(){
				func() { suite.About([]string{"K8S-D1"}, func() { room.MustPublishCapacity(ctx, s, class) }) },
				func() {
					objects, err := room.CapacityObjects(ctx, s, class)
					s.Need(err, "reading CSIStorageCapacity objects")
					suite.About([]string{"K8S-D3"}, func() { s.Check(predicate.CapacityLabels(objects, s.Target.Driver)) })
				},
			}, func(expect func()) { expect() })
		},
	}
}
