// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The volume that a snapshot was taken of may go, and the snapshot can still be restored. A driver whose snapshots need
// their volume refuses to delete it.
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
			volume := s.VolumeOf(ctx, original)
			from := k.take(ctx, s, original)

			s.Need(s.Resources().Delete(ctx, original), "deleting claim %s", original.Name)

			suite.Evidence(ctx, "volume deleted", s.MayGo(ctx, volume))
			claim, pod := copyOf(ctx, s, class, from, zone)
			s.MustBindIn(ctx, claim, zone)
			s.MustRunIn(ctx, pod, zone)
			s.MustRead(ctx, pod, s.Namespace)
		},
	}
}
