// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// copyInZone creates a copy in the zone of the source: its pod has the data, for a snapshot as of the time when it was
// taken. The pod's writes do not change the source.
func copyInZone() []harness.Case {
	var cases []harness.Case
	for _, k := range kinds() {
		cases = append(cases, harness.Case{
			ID:           "copy_in_zone_" + k.id,
			Text:         k.does + " with its data in the zone of the pod, and keeps the two apart when the pod writes",
			Requirements: []string{k.clause, "VS-02", "CV-18", "TR-01", k.behaviour},
			Needs:        k.inZones(1),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				class, original := written(ctx, s, zone)

				from, last := k.take(ctx, s, original), s.Namespace
				if k.keeps {
					last += "-later"
					write(ctx, s, original, zone, last)
				}
				claim, pod := copyOf(ctx, s, class, from, zone)

				claims.MustBindIn(ctx, s, claim, zone)
				pods.MustRunIn(ctx, s, pod, zone)
				data.MustRead(ctx, s, pod, s.Namespace)
				data.MustWrite(ctx, s, pod, s.Namespace+"-copy")
				putDown(ctx, s, pod, claim)
				again := pods.Create(ctx, s, workload.PodWith(original).In(zone.Segment))
				pods.MustRunIn(ctx, s, again, zone)
				data.MustRead(ctx, s, again, last)
			},
		})
	}
	return cases
}
