// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// provisionEmptyTopology answers with a topology without segments, which is meaningless, and which no PersistentVolume can
// express: the API server refuses a PersistentVolume whose node affinity has no terms. The volume exists anyway, and must
// be deleted.
func provisionEmptyTopology() harness.Case {
	return harness.Case{
		ID:           "provision_empty_topology",
		Text:         "leaves no volume behind when CreateVolume returns a topology that has no segments",
		Requirements: []string{"K8S-B11"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Long:         true,
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			driver.RegisterIn(ctx, zone)
			provisioner := driver.StartProvisioner(ctx, standin.Provisioning{})
			provisioner.Deletes(ctx)
			class := driver.CreateClass(ctx)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
			provisioner.Provide(ctx, claim, predicate.Segment{})
			pods.Create(ctx, s, workload.PodWith(claim).In(driver.Segment(zone.Name)))
			provisioner.MustBeAsked(ctx, claim, predicate.AskedOnce)

			deleted := func(ctx context.Context) error {
				calls, err := provisioner.Deleted(ctx, claim)
				if err == nil && len(calls) == 0 {
					err = fmt.Errorf("DeleteVolume of volume %s was not called", recorder.NameOf(claim))
				}
				return err
			}
			if s.Within(ctx, s.Target.Timeouts.Call, deleted) == nil {
				return
			}
			s.Need(s.Reread(ctx, claim), "reading the claim")
			if claim.Spec.VolumeName != "" { // some releases create a PersistentVolume without node affinity for it
				return
			}
			refused := claims.TryVolume(ctx, s, workload.VolumeFor(claim, class).Size(*gi(1)).In())
			suite.Warn(ctx, "K8S-B11", "the volume of claim %s has no PersistentVolume, and is not deleted; for a PersistentVolume without terms, the API server answers: %v",
				claim.Name, refused)
		},
	}
}
