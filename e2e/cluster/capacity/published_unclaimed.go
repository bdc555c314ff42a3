// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// publishedUnclaimed uses a driver that does not claim GET_CAPACITY, and answers GetCapacity with UNIMPLEMENTED. Although
// its provisioner is told to publish capacity, nothing is published, and a pod gets its volume without it. By then, the
// provisioner knows the class and its topology, and would already have created an object for them.
func publishedUnclaimed() harness.Case {
	return harness.Case{
		ID:           "published_unclaimed",
		Text:         "publishes no capacity for a driver without GET_CAPACITY, and still provisions its volumes",
		Requirements: []string{"K8S-D18"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			segment := driver.Segment(zone.Name)
			how := publishing(zone.Name, 0, "--capacity-poll-interval=1s")
			how.Room, how.WithoutCapacity = nil, true
			provisioner := driver.StartProvisioner(ctx, how)
			class := driver.CreateClass(ctx)

			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
			provisioner.Provide(ctx, claim, segment)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(segment))
			claims.MustBind(ctx, s, claim)
			pods.MustBeScheduled(ctx, s, pod)

			calls, err := provisioner.Recorded(ctx)
			s.Need(err, "reading the provisioner's calls")
			suite.Evidence(ctx, "GetCapacity", predicate.CapacityCalls(calls, segment))
			objects, err := room.CapacityObjects(ctx, s, class)
			s.Need(err, "reading CSIStorageCapacity objects")
			s.PlatformCheck(ctx, "K8S-D18", predicate.OneObjectPerSegment(objects))
		},
	}
}
