// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// growFullZone grows a volume in a zone without room for its growth: the attempt takes no room, and the pod keeps running.
// Once there is room, the volume grows. A little more is requested then, because the same growth is not retried soon after
// the driver called it infeasible. Requesting a little less would not work: csi-resizer may retry the first growth as soon
// as there is room, and then ignores a claim that requests less than its volume has.
func growFullZone() harness.Case {
	return harness.Case{
		ID:           "grow_full_zone",
		Text:         "takes no room for a growth that the zone has no room for, and grows the volume when there is some",
		Requirements: []string{"PC-07", "CAP-07", "K8S-H6"},
		Needs:        needs.All(needsController(), needs.Zones(1), needs.Exhaustion(), needs.ExactCapacity()),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustRunIn(ctx, s, pod, zone)
			before := data.FileSystemSize(ctx, s, pod)
			volume := claims.VolumeOf(ctx, s, claim)
			room.Fill(ctx, s, zone)
			left := room.Free(ctx, s, zone)

			s.Need(growth.Ask(ctx, s, claim, growth.Times(s, 2)), "asking for a larger volume")
			growth.MustBeAsked(ctx, s, volume, func(calls []trace.Call) error {
				if predicate.AnsweredAs("OK", 1)(calls) == nil {
					suite.Skip(suite.ByEnvironment, "the driver grew a volume by %d bytes where it reported %d: its growth does not depend on what is reported",
						s.Target.VolumeSize.Value(), left)
				}
				return predicate.AskedTimes(1)(predicate.Refused(calls))
			})
			s.Check(predicate.Equal("room in the full zone "+zone.Name+" after the attempt", room.Free(ctx, s, zone), left))
			pods.MustGoOn(ctx, s, pod)

			s.Need(room.Drain(ctx, s, zone), "giving room back")
			more := resource.NewQuantity(2*s.Target.VolumeSize.Value()+1<<20, resource.BinarySI)
			s.Need(growth.Ask(ctx, s, claim, *more), "asking for a little more")
			growth.MustBeAsked(ctx, s, volume, predicate.AnsweredAs("OK", 1))
			growth.MustFinish(ctx, s, pod, claim, before, *more)
		},
	}
}
