// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerEphemeral shows that a generic ephemeral volume has a claim, which needs room, and an inline CSI volume has
// none.
func schedulerEphemeral() harness.Case {
	return harness.Case{
		ID:           "scheduler_ephemeral",
		Text:         "checks the room for a generic ephemeral volume, and not for a CSI ephemeral volume",
		Requirements: []string{"K8S-E6"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			class := driver.CreateClass(ctx)
			standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Bytes: gi(1)})

			generic := pods.Create(ctx, s, workload.SleepingPod().In(zone.Segment).WithEphemeral(class, *gi(5)))
			claim := &corev1.PersistentVolumeClaim{}
			claim.Name, claim.Namespace = workload.EphemeralClaimOf(generic), s.Namespace
			s.Until(ctx, s.Target.Timeouts.Schedule, "pod refused by the scheduler", s.Look(claim, func() error {
				if err := predicate.ClaimSelectsNone(claim); err != nil {
					return err
				}
				return s.Look(generic, func() error { return predicate.PodUnschedulable(generic, predicate.NoStorage) })(ctx)
			}))

			inside := pods.Create(ctx, s, workload.SleepingPod().In(zone.Segment).WithInline("inline", corev1.CSIVolumeSource{Driver: driver.Driver.Name}))
			pods.MustBeScheduled(ctx, s, inside)
		},
	}
}
