// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// deleteWaitsForDetach deletes the claim of a volume that still has a VolumeAttachment. The volume of another claim is
// deleted meanwhile, which shows that the provisioner has handled the first, too.
func deleteWaitsForDetach() harness.Case {
	return harness.Case{
		ID:           "delete_waits_for_detach",
		Text:         "deletes a volume only once it has no VolumeAttachment",
		Requirements: []string{"K8S-O14"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.CreateAttaching(ctx, s, "attached", true)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{Attaches: true})
			provisioner.Deletes(ctx)
			class := driver.CreateClassAs(ctx, workload.Immediate())
			create := func() *corev1.PersistentVolumeClaim {
				return claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize))
			}
			claim, other := create(), create()
			attachment := driver.CreateAttachment(ctx, recorder.NameOf(claim), zone.Nodes[0])
			provisioner.Provide(ctx, claim, driver.Segment(zone.Name))
			provisioner.Provide(ctx, other, driver.Segment(zone.Name))
			volume := claims.MustBind(ctx, s, claim)

			claims.MustDeleteAlone(ctx, s, claim)
			released(ctx, s, volume)
			claims.MustDelete(ctx, s, other, claims.MustBind(ctx, s, other))
			calls, err := provisioner.Deleted(ctx, claim)
			s.Need(err, "reading the recorded calls")
			s.PlatformCheck(ctx, "K8S-O14", predicate.NotAsked(calls))
			stays(ctx, s, "K8S-O14", "PersistentVolume", volume, predicate.VolumeMade)

			s.Need(s.Delete(ctx, attachment), "deleting VolumeAttachment %s", attachment.Name)
			claims.MustGo(ctx, s, volume)
			calls, err = provisioner.Deleted(ctx, claim)
			s.Need(err, "reading the recorded calls")
			s.PlatformCheck(ctx, "K8S-O14", predicate.RepeatedUntilOK(calls))
		},
	}
}
