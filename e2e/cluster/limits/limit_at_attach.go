// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// limitAtAttach fills a node without the scheduler's knowledge: the driver answers RESOURCE_EXHAUSTED to
// ControllerPublishVolume. The kubelet waits for the volumes for two minutes, asks the driver for the node's limit again,
// and fails the pod, so that its owner can create another.
func limitAtAttach() harness.Case {
	return harness.Case{
		ID:           "limit_at_attach",
		Text:         "fails a pod whose volume the driver refuses to attach to a full node, and learns how many the node takes",
		Requirements: []string{"K8S-J4"},
		Needs: needs.All(needs.Zones(1), needs.ChangesLimits(), needs.Recorder(), needs.Slow(),
			needs.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			full := zone.Nodes[0]
			const never, waits = time.Hour, 4 * time.Minute // the kubelet's two minutes, and the additional time of a busy one
			nodeplugin.UpdateLimits(ctx, s, full, never)
			nodeplugin.AnswerLimit(ctx, s, full, 1)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment)))
			volume := claims.MustBindIn(ctx, s, claim, zone)
			recorder.InjectOn(ctx, s, volume, trace.Rule{Method: "ControllerPublishVolume", Code: "RESOURCE_EXHAUSTED", Message: "the node is full"})

			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment).OnNode(full.Hostname))

			if pods.MustFail(ctx, s, pod, "K8S-J4", "VolumeAttachmentLimitExceeded", waits) {
				nodeplugin.MustLimit(ctx, s, full, "K8S-J4", 1)
			}
		},
	}
}
