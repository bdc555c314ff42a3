// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/machines"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// nodeOutOfService stops a node's machine, and marks the node as out of service by a taint: its volume is detached although
// no kubelet reports it unmounted, and another node of the zone gets it, with its data. The pod is deleted by force, as its
// owner may do at once, or by the garbage collector, once the cluster has noticed that the node no longer reports. When the
// node returns, it still has directories of the volume, and does not disturb the new user.
func nodeOutOfService(collected bool) harness.Case {
	c := harness.Case{
		ID:           "node_out_of_service",
		Text:         "detaches a volume from a dead node that is out of service, and mounts it on another node of its zone",
		Requirements: []string{"CU-03", "CU-10", "K8S-I5"},
		Needs:        needs.All(needs.NodesInZone(2), needs.StopsMachines()),
	}
	if collected {
		c.ID += "_collected"
		c.Text += ", when the pod is left to the garbage collector"
		c.Needs = needs.All(c.Needs, needs.Slow())
	}
	c.Run = func(ctx context.Context, s *harness.Scenario) {
		const requirement = "K8S-I5"
		zone := s.ZoneWithNodes(2)
		dead, claim, before := written(ctx, s, zone)
		volume := claims.VolumeOf(ctx, s, claim)

		machine := machines.StopNode(ctx, s, dead)
		machine.PutOutOfService(ctx)
		if collected {
			machine.MustBeLost(ctx)
			if !pods.IsCollected(ctx, s, requirement, before) {
				return
			}
		} else {
			pods.RemoveByForce(ctx, s, before)
		}
		if _, done := attachments.LetsGo(ctx, s, requirement, volume, s.Target.Timeouts.Detach); !done {
			return
		}
		if s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
			attachments.MustBePublishedTo(ctx, s, volume)
		}

		after := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
		if !pods.RunsAgain(ctx, s, requirement, after, zone) {
			return
		}
		data.MustRead(ctx, s, after, s.Namespace)

		machine.Start(ctx)
		machine.MustForget(ctx, requirement, volume)
		pods.MustGoOn(ctx, s, after)
		data.MustWrite(ctx, s, after, s.Namespace+" after")
		data.MustRead(ctx, s, after, s.Namespace+" after")
	}
	return c
}
