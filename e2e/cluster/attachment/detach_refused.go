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
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// detachRefused makes ControllerUnpublishVolume fail for a while after the volume's pod is gone: the VolumeAttachment
// stays, as the volume is still attached, and shows the error; the same call is repeated, and the VolumeAttachment is
// deleted once it succeeds.
func detachRefused() harness.Case {
	return harness.Case{
		ID:           "detach_refused",
		Text:         "reports that the driver refuses to detach a volume, keeps the VolumeAttachment, and repeats the same call until the driver detaches it",
		Requirements: []string{"CU-10", "K8S-I12"},
		Needs:        needs.All(needs.Recorder(), needs.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			volume := claims.VolumeOf(ctx, s, claim)
			refused := recorder.InjectOn(ctx, s, volume, trace.Rule{Method: "ControllerUnpublishVolume", Code: "INTERNAL", Message: saidByCase})

			pods.Remove(ctx, s, pod)

			recorder.MustRepeat(ctx, s, "K8S-I12", volume, "ControllerUnpublishVolume", predicate.AnsweredAs("INTERNAL", refusals))
			attachments.MustSay(ctx, s, "K8S-I12", volume, predicate.DetachRefused)
			refused.End(ctx)
			attachments.MustBeDetached(ctx, s, volume)
			recorder.MustRepeat(ctx, s, "K8S-I12", volume, "ControllerUnpublishVolume", predicate.AnsweredAs("OK", 1))
		},
	}
}
