// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// cloneSourceDeleted deletes a volume that was cloned: the clone keeps its data. A driver that still needs the volume
// refuses to delete it, and then both volumes stay.
func cloneSourceDeleted() harness.Case {
	k := clone()
	return harness.Case{
		ID:           "clone_source_deleted",
		Text:         "clones a volume, and the clone keeps its data when the volume is deleted",
		Requirements: []string{"VS-02", "DV-05", k.behaviour},
		Needs:        k.inZones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class, original := written(ctx, s, zone)
			volume := claims.VolumeOf(ctx, s, original)
			claim, pod := copyOf(ctx, s, class, k.take(ctx, s, original), zone)
			pods.MustRunIn(ctx, s, pod, zone)
			putDown(ctx, s, pod, claim)

			s.Need(s.Resources().Delete(ctx, original), "deleting claim %s", original.Name)

			suite.Evidence(ctx, "source deleted", claims.MayGo(ctx, s, volume))
			again := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustRunIn(ctx, s, again, zone)
			data.MustRead(ctx, s, again, s.Namespace)
		},
	}
}
