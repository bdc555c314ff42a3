// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// immediateUnbound creates a claim that no provisioner serves. Its pod waits, while a later pod without claims is
// scheduled. Once the case has created the volume itself, the pod is scheduled too: only its claim had kept it waiting.
func immediateUnbound() harness.Case {
	return harness.Case{
		ID:           "immediate_unbound",
		Text:         "does not schedule a pod whose Immediate claim is not bound, says so, and schedules it once the claim is bound",
		Requirements: []string{"K8S-P8"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-P8"
			class := standin.Create(ctx, s, false).CreateClassAs(ctx, workload.Immediate())
			claim := claims.Create(ctx, s, class)
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			if !s.PlatformMust(ctx, s.Target.Timeouts.Schedule, requirement, "pod "+pod.Name+" refused by the scheduler", s.Look(pod, func() error {
				if err := predicate.PodWaits(pod); err != nil {
					return err
				}
				return predicate.PodUnschedulable(pod, predicate.UnboundClaim)
			})) {
				return
			}
			pods.MustBeScheduled(ctx, s, pods.Create(ctx, s, workload.SleepingPod().Withheld()))
			s.Need(s.Reread(ctx, pod), "reading the pod")
			s.PlatformCheck(ctx, requirement, predicate.PodWithoutNode(pod))

			claims.CreateVolume(ctx, s, workload.VolumeFor(claim, class).Size(s.Target.VolumeSize))
			claims.MustBind(ctx, s, claim)
			s.PlatformMust(ctx, s.Target.Timeouts.Run, requirement, "pod "+pod.Name+" scheduled", s.Look(pod, func() error {
				return predicate.PodNotRefused(pod, predicate.UnboundClaim)
			}))
		},
	}
}
