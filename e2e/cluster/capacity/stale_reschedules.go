// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// staleReschedules fills the zone after its CSIStorageCapacity was published, so the scheduler relies on room that is gone.
// The driver's RESOURCE_EXHAUSTED makes the provisioner remove the selected node and refresh the objects, and the scheduler
// chooses another zone. The full zone keeps nothing of the attempt. Any volume that another case made in the zone would
// refresh the objects.
func staleReschedules() harness.Case {
	return harness.Case{
		ID:           "stale_reschedules",
		Text:         "moves a pod to another zone when CreateVolume returns RESOURCE_EXHAUSTED, and leaves nothing behind",
		Requirements: []string{"CREATE-08", "CREATE-10", "TR-08", "K8S-D8", "K8S-F1", "K8S-F10"},
		Needs:        needs.All(needs.Zones(2), needs.Exhaustion(), needs.PublishedCapacity(), needs.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			full := s.Zones(2)[0]
			size := s.Target.VolumeSize.Value()
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			room.MustPublishCapacity(ctx, s, class)
			room.Fill(ctx, s, full)
			taken := room.Free(ctx, s, full)
			shown, err := room.Published(ctx, s, class, full)
			s.Need(err, "reading the full zone's CSIStorageCapacity")
			if shown < size {
				suite.CouldNotTell("the CSIStorageCapacity of zone %s is not stale, it shows %d bytes; give the provisioner a longer --capacity-poll-interval", full, shown)
			}

			claim := claims.Create(ctx, s, class)
			selected := claims.WatchSelectedNode(ctx, s, claim)
			pod := pods.Create(ctx, s, workload.PodWith(claim).Preferring(full.Segment))

			claims.MustBeRefused(ctx, s, claim, codes.ResourceExhausted)
			// The driver is not involved: a provisioner that may not change the claim, for example, repeats its request in
			// vain forever.
			rescheduled := s.PlatformMust(ctx, s.Target.Timeouts.Bind, "K8S-F1", "selected node set, removed and set elsewhere", func(context.Context) error {
				nodes, _ := selected.Seen()
				return predicate.Rescheduled(nodes, full.NodeNames())
			})
			nodes, _ := selected.Seen()
			suite.Evidence(ctx, "selected nodes", nodes)
			if !rescheduled {
				return
			}
			pods.MustRunIn(ctx, s, pod, topology.AllBut(s.AllZones(), full)...)
			claims.MustShareZone(ctx, s, claim, pod)
			room.MustPublish(ctx, s, class, full, "refreshed capacity of the full zone", func(bytes int64) error {
				return predicate.Fewer("CSIStorageCapacity of the full zone "+full.Name, bytes, size)
			})
			s.Check(predicate.Equal("room in the full zone "+full.Name+" after the attempt", room.Free(ctx, s, full), taken))
			room.MustListOnly(ctx, s, claims.VolumeOf(ctx, s, claim))
		},
	}
}
