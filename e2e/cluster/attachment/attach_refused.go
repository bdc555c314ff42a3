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
	// saidByCase is the message of injected answers.
	saidByCase = "said by csi-topo"
	// refusals is the minimum number of calls that a case refuses before the driver answers again.
	refusals = 2
)

// attachRefused makes ControllerPublishVolume fail for a while: the VolumeAttachment shows the error, the same call is
// repeated, and the pod runs once it succeeds.
func attachRefused() harness.Case {
	return harness.Case{
		ID:           "attach_refused",
		Text:         "reports that the driver refuses to attach a volume, repeats the same call, and runs the pod once the driver attaches it",
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
				return // by now the attacher's backoff is longer than the wait for the pod
			}
			pods.MustRun(ctx, s, pod)
			s.Check(attachments.Attached(ctx, s, volume, pod))
			recorder.MustRepeat(ctx, s, "K8S-I11", volume, "ControllerPublishVolume", predicate.AnsweredAs("OK", 1))
		},
	}
}
