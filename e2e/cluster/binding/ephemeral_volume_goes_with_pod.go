// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// ephemeralVolumeGoesWithPod runs a pod with a generic ephemeral volume: its claim is created from the pod, which owns it;
// the pod writes to the volume, and when the pod is deleted, so are the claim and the volume.
func ephemeralVolumeGoesWithPod() harness.Case {
	return harness.Case{
		ID:           "ephemeral_volume_goes_with_pod",
		Text:         "creates the claim of a generic ephemeral volume with its pod, and deletes claim and volume with it",
		Requirements: []string{"K8S-P7"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			pod := pods.Create(ctx, s, workload.SleepingPod().WithEphemeral(class, s.Target.VolumeSize))
			pods.MustRun(ctx, s, pod)
			claim := &corev1.PersistentVolumeClaim{}
			claim.Namespace, claim.Name = s.Namespace, workload.EphemeralClaimOf(pod)
			volume := claims.VolumeOf(ctx, s, claim)
			s.PlatformCheck(ctx, "K8S-P7", predicate.ControlledBy("claim", claim, pod))
			data.MustTake(ctx, s, pod, workload.EphemeralPath, s.Namespace)

			pods.Remove(ctx, s, pod)

			if s.PlatformMust(ctx, s.Target.Timeouts.Delete, "K8S-P7", "claim "+claim.Name+" gone with its pod", claims.DeletedByOthers(s, claim)) {
				claims.MustGo(ctx, s, volume)
			}
		},
	}
}
