// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotOutlivesVolume deletes the source volume of a snapshot: the snapshot can still be restored. A driver whose
// snapshots need their volume refuses to delete it.
func snapshotOutlivesVolume() harness.Case {
	k := restore()
	return harness.Case{
		ID:           "snapshot_outlives_volume",
		Text:         "restores a snapshot with its data after its volume was deleted",
		Requirements: []string{"DV-03", "VS-02", k.behaviour},
		Needs:        k.inZones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class, original := written(ctx, s, zone)
			volume := claims.VolumeOf(ctx, s, original)
			from := k.take(ctx, s, original)

			s.Need(s.Resources().Delete(ctx, original), "deleting claim %s", original.Name)

			suite.Evidence(ctx, "volume deleted", claims.MayGo(ctx, s, volume))
			claim, pod := copyOf(ctx, s, class, from, zone)
			claims.MustBindIn(ctx, s, claim, zone)
			pods.MustRunIn(ctx, s, pod, zone)
			data.MustRead(ctx, s, pod, s.Namespace)
		},
	}
}
