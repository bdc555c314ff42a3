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

const (
	// saidByCase is the message of what is answered for the driver.
	saidByCase = "said by csi-topo"
	// refusals are how many calls a case has refused, at least, before the driver answers again.
	refusals = 2
)

// ControllerPublishVolume fails for a while: the VolumeAttachment says so, the driver is asked again for what it was asked
// for before, and the pod runs when it has done that.
func attachRefused() harness.Case {
	return harness.Case{
		ID:           "attach_refused",
		Text:         "says that the driver refuses to attach a volume, asks it again for the same, and runs the pod when the driver does it",
		Requirements: []string{"CP-02", "CP-06", "K8S-I11"},
		Needs:        needs.All(needs.Recorder(), needs.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			volume := claims.MustBind(ctx, s, claim)
			refused := recorder.InjectOn(ctx, s, volume, trace.Rule{Method: "ControllerPublishVolume", Code: "INTERNAL", Message: saidByCase})

			pod := pods.Create(ctx, s, workload.PodWith(claim))

			said := attachments.MustSay(ctx, s, "K8S-I11", volume, predicate.AttachRefused)
			recorder.MustRepeat(ctx, s, "K8S-I11", volume, "ControllerPublishVolume", predicate.AnsweredAs("INTERNAL", refusals))
			refused.End(ctx)
			if !said {
				return // the attacher was refused for so long that its pauses are longer than the pod is waited for
			}
			pods.MustRun(ctx, s, pod)
			s.Check(attachments.Attached(ctx, s, volume, pod))
			recorder.MustRepeat(ctx, s, "K8S-I11", volume, "ControllerPublishVolume", predicate.AnsweredAs("OK", 1))
		},
	}
}
