// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/machines"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeForceDetach stops a node's machine without notifying the cluster, which only notices missing heartbeats. Its pod is
// deleted by force. As the node may still write to the volume, the volume stays attached for six minutes, and is then
// detached anyway.
func nodeForceDetach() harness.Case {
	return harness.Case{
		ID:           "node_force_detach",
		Text:         "detaches a volume from an unresponsive node after six minutes, and not before",
		Requirements: []string{"CU-03", "K8S-I4"},
		Needs: needs.All(needs.NodesInZone(2), needs.StopsMachines(), needs.Slow(),
			needs.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-I4"
			const unmountWithin, slack = 6 * time.Minute, 10 * time.Second // maxWaitForUnmountDuration of the controller manager
			zone := s.ZoneWithNodes(2)
			dead, claim, before := written(ctx, s, zone)
			volume := claims.VolumeOf(ctx, s, claim)

			machines.StopNode(ctx, s, dead)
			pods.RemoveByForce(ctx, s, before)
			took, done := attachments.LetsGo(ctx, s, requirement, volume, unmountWithin+s.Target.Timeouts.Detach)
			if !done {
				return
			}
			if took < unmountWithin-slack {
				suite.Warn(ctx, requirement, "volume %s was detached from a node that may still use it after %s, want %s", volume.Name, took.Round(time.Second), unmountWithin)
			}

			after := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			if pods.RunsAgain(ctx, s, requirement, after, zone) {
				data.MustRead(ctx, s, after, s.Namespace)
			}
		},
	}
}
