// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"cmp"
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A pod goes where there is room because CSIStorageCapacity says so. It prefers the full
// zone as strongly as it can; the object of that zone shows too little, and the zone is never
// selected.
func fullZoneAvoided() harness.Case {
	return harness.Case{
		ID:           "full_zone_avoided",
		Text:         "sends a pod past the full zone that it prefers, because CSIStorageCapacity shows no room",
		Requirements: []string{"CAP-07", "PC-03", "K8S-E1"},
		Needs:        harness.Needs(harness.Zones(2), harness.Exhaustion(), harness.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			full := s.Zones(2)[0]
			s.Fill(ctx, full)
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
			s.MustPublishCapacity(ctx, class)
			shown, err := s.Published(ctx, class, full)
			s.Need(err, "reading the full zone's CSIStorageCapacity")
			s.Check(predicate.Fewer("CSIStorageCapacity of the full zone "+full.Name, shown, s.Target.VolumeSize.Value()))

			claim := s.CreateClaim(ctx, class)
			selected := s.WatchSelectedNode(ctx, claim)
			with := s.CreatePod(ctx, workload.PodWith(claim).Preferring(full.Segment))

			s.Until(ctx, s.Target.Timeouts.Run, "pod ready, without the full zone ever selected", s.Look(with, func() error {
				nodes, _ := selected.Seen()
				return cmp.Or(predicate.NeverSelected(nodes, full.NodeNames()), predicate.PodRuns(with))
			}))
			s.MustRunIn(ctx, with, s.AllBut(full)...)
			s.MustShareZone(ctx, claim, with)
			s.MustNeverSelect(ctx, claim, selected, full)
		},
	}
}
