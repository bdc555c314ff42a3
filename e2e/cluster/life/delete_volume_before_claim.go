// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// deleteVolumeBeforeClaim deletes the PersistentVolume, the only object that identifies the volume to delete, and then the
// claim.
func deleteVolumeBeforeClaim() harness.Case {
	return harness.Case{
		ID:           "delete_volume_before_claim",
		Text:         "deletes a volume whose PersistentVolume was deleted before its claim",
		Requirements: []string{"K8S-O13", "LV-01"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			recorder.DeleteLeftVolumes(s, claim)
			volume := claims.MustBind(ctx, s, claim)

			s.Need(s.Resources().Delete(ctx, volume), "deleting PersistentVolume %s", volume.Name)
			if stays(ctx, s, "K8S-O13", "PersistentVolume", volume, predicate.VolumeMade) {
				s.Need(predicate.Deleting("PersistentVolume", volume), "deleting the PersistentVolume before its claim")
			}
			claims.MustDeleteAlone(ctx, s, claim)
			claims.MustGo(ctx, s, volume)
			recorder.LeavesNoVolume(ctx, s, "K8S-O13", claim)
		},
	}
}
