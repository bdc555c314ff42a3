// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A node dies, and its administrator says so by a taint: its volume is detached though no kubelet says that it is unmounted,
// and another node of the zone has it, with its data. The pod is deleted by force, as its owner may do at once; or the
// garbage collector does so, once the cluster has noticed that it no longer hears of the node. When the node comes back, it
// has directories of the volume left, and takes nothing from its new user.
func nodeOutOfService(collected bool) harness.Case {
	c := harness.Case{
		ID:           "node_out_of_service",
		Text:         "detaches a volume from a dead node that is out of service, and mounts it on another node of its zone",
		Requirements: []string{"CU-03", "CU-10", "K8S-I5"},
		Needs:        harness.Needs(harness.NodesInZone(2), harness.StopsMachines()),
	}
	if collected {
		c.ID += "_collected"
		c.Text += ", when the pod is left to the garbage collector"
		c.Needs = harness.Needs(c.Needs, harness.Slow())
	}
	c.Run = func(ctx context.Context, s *harness.Scenario) {
		const requirement = "K8S-I5"
		zone := s.ZoneWithNodes(2)
		dead, claim, before := written(ctx, s, zone)
		volume := s.VolumeOf(ctx, claim)

		machine := s.StopNode(ctx, dead)
		machine.PutOutOfService(ctx)
		if collected {
			machine.MustBeLost(ctx)
			if !s.IsCollected(ctx, requirement, before) {
				return
			}
		} else {
			s.RemoveByForce(ctx, before)
		}
		if _, done := s.LetsGo(ctx, requirement, volume, s.Target.Timeouts.Detach); !done {
			return
		}
		if s.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
			s.MustBePublishedTo(ctx, volume)
		}

		after := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
		if !s.RunsAgain(ctx, requirement, after, zone) {
			return
		}
		s.MustRead(ctx, after, s.Namespace)

		machine.Start(ctx)
		machine.MustForget(ctx, requirement, volume)
		s.MustGoOn(ctx, after)
		s.MustWrite(ctx, after, s.Namespace+" after")
		s.MustRead(ctx, after, s.Namespace+" after")
	}
	return c
}
