// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"cmp"
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// fullZoneAvoided sends a pod where there is room because CSIStorageCapacity says so. The pod
// prefers the full zone as strongly as it can; that zone's object shows too little, and the
// zone is never selected.
func fullZoneAvoided() harness.Case {
	return harness.Case{
		ID:           "full_zone_avoided",
		Text:         "sends a pod past the full zone that it prefers, because CSIStorageCapacity shows no room",
		Requirements: []string{"CAP-07", "PC-03", "K8S-E1"},
		Needs:        needs.All(needs.Zones(2), needs.Exhaustion(), needs.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			full := s.Zones(2)[0]
			room.Fill(ctx, s, full)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			room.MustPublishCapacity(ctx, s, class)
			shown, err := room.Published(ctx, s, class, full)
			s.Need(err, "reading the full zone's CSIStorageCapacity")
			s.Check(predicate.Fewer("CSIStorageCapacity of the full zone "+full.Name, shown, s.Target.VolumeSize.Value()))

			claim := claims.Create(ctx, s, class)
			selected := claims.WatchSelectedNode(ctx, s, claim)
			with := pods.Create(ctx, s, workload.PodWith(claim).Preferring(full.Segment))

			s.Until(ctx, s.Target.Timeouts.Run, "pod ready, without the full zone ever selected", s.Look(with, func() error {
				nodes, _ := selected.Seen()
				return cmp.Or(predicate.NeverSelected(nodes, full.NodeNames()), predicate.PodRuns(with))
			}))
			pods.MustRunIn(ctx, s, with, topology.AllBut(s.AllZones(), full)...)
			claims.MustShareZone(ctx, s, claim, with)
			claims.MustNeverSelect(ctx, s, claim, selected, full)
		},
	}
}
