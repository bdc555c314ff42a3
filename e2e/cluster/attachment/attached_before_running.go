// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// attachedBeforeRunning compares the order of changes in the API server: a volume is
// attached to its pod's node before the pod's container starts.
func attachedBeforeRunning() harness.Case {
	return harness.Case{
		ID:           "attached_before_running",
		Text:         "attaches the volume to the pod's node before the pod runs",
		Requirements: []string{"CP-02", "NS-02", "K8S-I1"},
		Needs:        needs.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			changes := attachments.WatchStart(ctx, s)
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)

			volume := claims.VolumeOf(ctx, s, claim)
			s.Check(attachments.Attached(ctx, s, volume, pod))
			s.Until(ctx, s.Target.Timeouts.Run, "order of attachment and start", func(context.Context) error {
				return predicate.InOrder("first change that shows volume "+volume.Name+" attached", changes.Attached(volume.Name),
					"first change that shows pod "+pod.Name+" started", changes.Started(pod.UID))
			})
		},
	}
}
