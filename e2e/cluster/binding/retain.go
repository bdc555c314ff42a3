// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// retain deletes the claim of a retained volume: the volume remains in the cluster and in the driver, and its room in the
// zone stays taken.
func retain() harness.Case {
	return harness.Case{
		ID:           "retain",
		Text:         "keeps a retained volume, and its room, when the claim is deleted",
		Requirements: []string{"K8S-A11", "LV-01"},
		Needs:        needs.All(needs.Zones(1), needs.Room(), needs.ExactCapacity(), needs.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().Retained().AllowedIn(zone.Segment)))
			volume := claims.MustBind(ctx, s, claim)
			taken := room.Free(ctx, s, zone)

			s.Need(s.Resources().Delete(ctx, claim), "deleting the claim")
			s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" released", s.Look(volume, func() error {
				return predicate.VolumeInPhase(volume, corev1.VolumeReleased)
			}))

			if listed := attachments.Listed(ctx, s); !slices.Contains(listed, harness.HandleOf(volume)) {
				s.Fail("the driver no longer lists volume %s, which should be retained; it lists %v", harness.HandleOf(volume), listed)
			}
			s.Check(predicate.Equal("room in zone "+zone.Name+" while the volume is retained", room.Free(ctx, s, zone), taken))
		},
	}
}
