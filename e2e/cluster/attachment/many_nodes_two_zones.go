// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// manyNodesTwoZones mounts a volume for many nodes in two zones at once: each of the two pods reads the other's data. When
// one of them is deleted, the other keeps the volume.
func manyNodesTwoZones() harness.Case {
	return harness.Case{
		ID:           "many_nodes_two_zones",
		Text:         "shows the same data to pods in two zones that mount a volume at once, and keeps it for one when the other is gone",
		Requirements: []string{"VOL-15", "CP-02", "CP-07", "NS-20", "K8S-B21"},
		Needs:        needs.All(needs.Zones(2), needs.ReadWriteMany()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(topology.SegmentsOf(zones...)...).Parameters(s.Target.ReadWriteMany.Parameters))
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).AccessModes(corev1.ReadWriteMany))
			claims.MustBind(ctx, s, claim)
			first := pods.Create(ctx, s, workload.PodWith(claim).In(zones[0].Segment))
			second := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))
			pods.MustRunIn(ctx, s, first, zones[0])
			pods.MustRunIn(ctx, s, second, zones[1])

			data.MustWrite(ctx, s, first, s.Namespace)
			data.MustRead(ctx, s, second, s.Namespace)
			data.MustWrite(ctx, s, second, s.Namespace+"-too")
			data.MustReadSoon(ctx, s, first, s.Namespace+"-too")

			pods.Remove(ctx, s, first)
			pods.MustGoOn(ctx, s, second)
			data.MustWrite(ctx, s, second, s.Namespace+"-alone")
			data.MustRead(ctx, s, second, s.Namespace+"-alone")
		},
	}
}
