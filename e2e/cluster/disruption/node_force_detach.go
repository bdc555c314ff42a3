// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// A node dies, and nobody says so: only that it is not heard of. Its pod is deleted by force. The volume may still be
// written to there, so that it stays attached for six minutes, and is then detached all the same.
func nodeForceDetach() harness.Case {
	return harness.Case{
		ID:           "node_force_detach",
		Text:         "detaches a volume from a node that is not heard of after six minutes, and not before",
		Requirements: []string{"CU-03", "K8S-I4"},
		Needs: harness.Needs(harness.NodesInZone(2), harness.StopsMachines(), harness.Slow(),
			harness.Controller(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-I4"
			const unmountWithin, slack = 6 * time.Minute, 10 * time.Second // maxWaitForUnmountDuration of the controller manager
			zone := s.ZoneWithNodes(2)
			dead, claim, before := written(ctx, s, zone)
			volume := s.VolumeOf(ctx, claim)

			s.StopNode(ctx, dead)
			s.RemoveByForce(ctx, before)
			took, done := s.LetsGo(ctx, requirement, volume, unmountWithin+s.Target.Timeouts.Detach)
			if !done {
				return
			}
			if took < unmountWithin-slack {
				suite.Warn(ctx, requirement, "volume %s was detached from a node that may still use it after %s, want %s", volume.Name, took.Round(time.Second), unmountWithin)
			}

			after := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			if s.RunsAgain(ctx, requirement, after, zone) {
				s.MustRead(ctx, after, s.Namespace)
			}
		},
	}
}
