// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume for many nodes is the same volume wherever it is mounted: two pods in two zones have it at once, and each reads
// what the other wrote. When one of them goes, the other keeps it.
func manyNodesTwoZones() harness.Case {
	return harness.Case{
		ID:           "many_nodes_two_zones",
		Text:         "shows the same data to pods in two zones that mount a volume at once, and keeps it for one when the other goes",
		Requirements: []string{"VOL-15", "CP-02", "CP-07", "NS-20", "K8S-B21"},
		Needs:        harness.Needs(harness.Zones(2), harness.ReadWriteMany()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := s.CreateClass(ctx, workload.Immediate().AllowedIn(harness.SegmentsOf(zones...)...).Parameters(s.Target.ReadWriteMany.Parameters))
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(s.Target.VolumeSize).ReadWriteMany())
			s.MustBind(ctx, claim)
			first := s.CreatePod(ctx, workload.PodWith(claim).In(zones[0].Segment))
			second := s.CreatePod(ctx, workload.PodWith(claim).In(zones[1].Segment))
			s.MustRunIn(ctx, first, zones[0])
			s.MustRunIn(ctx, second, zones[1])

			s.MustWrite(ctx, first, s.Namespace)
			s.MustRead(ctx, second, s.Namespace)
			s.MustWrite(ctx, second, s.Namespace+"-too")
			s.MustReadSoon(ctx, first, s.Namespace+"-too")

			s.Remove(ctx, first)
			s.MustGoOn(ctx, second)
			s.MustWrite(ctx, second, s.Namespace+"-alone")
			s.MustRead(ctx, second, s.Namespace+"-alone")
		},
	}
}
