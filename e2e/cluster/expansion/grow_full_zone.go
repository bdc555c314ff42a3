// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// The volume's zone has no room for its growth: the attempt takes none, and the pod goes on. When there is room the volume
// grows. It is asked for a little more then, as a driver that calls the growth infeasible is not asked for it again soon. A
// little less would not do: csi-resizer may ask for the first growth again as soon as there is room, and leaves a claim
// alone that meanwhile wants less than its volume has.
func growFullZone() harness.Case {
	return harness.Case{
		ID:           "grow_full_zone",
		Text:         "takes no room for a growth that the zone has no room for, and grows the volume when there is some",
		Requirements: []string{"PC-07", "CAP-07", "K8S-H6"},
		Needs:        harness.Needs(needsController(), harness.Zones(1), harness.Exhaustion(), harness.ExactCapacity()),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustRunIn(ctx, pod, zone)
			before := s.FileSystemSize(ctx, pod)
			volume := s.VolumeOf(ctx, claim)
			s.Fill(ctx, zone)
			left := s.Room(ctx, zone)

			s.Need(s.Grow(ctx, claim, s.Times(2)), "asking for a larger volume")
			s.MustAskToGrow(ctx, volume, func(calls []trace.Call) error {
				if predicate.AnsweredAs("OK", 1)(calls) == nil {
					suite.Skip(suite.ByEnvironment, "the driver grew a volume by %d bytes where it reported %d: its growth does not depend on what is reported",
						s.Target.VolumeSize.Value(), left)
				}
				return predicate.AskedTimes(1)(predicate.Refused(calls))
			})
			s.Check(predicate.Equal("room in the full zone "+zone.Name+" after the attempt", s.Room(ctx, zone), left))
			s.MustGoOn(ctx, pod)

			s.Need(s.Drain(ctx, zone), "giving room back")
			more := resource.NewQuantity(2*s.Target.VolumeSize.Value()+1<<20, resource.BinarySI)
			s.Need(s.Grow(ctx, claim, *more), "asking for a little more")
			s.MustAskToGrow(ctx, volume, predicate.AnsweredAs("OK", 1))
			s.MustFinishGrowth(ctx, pod, claim, before, *more)
		},
	}
}
