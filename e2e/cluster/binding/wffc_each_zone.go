// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// wffcEachZone creates volumes that wait for their first consumer in the zone that the scheduler selects: in each zone in
// turn, so that a driver does not pass by always choosing the same one, and two volumes for each pod, so that choosing the
// emptiest zone is not enough.
func wffcEachZone() []harness.Case {
	var cases []harness.Case
	for i, ordinal := range []string{"first", "second", "third", "fourth"} {
		cases = append(cases, harness.Case{
			ID:           fmt.Sprintf("wffc_each_zone_%d", i+1),
			Text:         "creates the two volumes of a pod in the " + ordinal + " zone in that zone",
			Requirements: []string{"TR-01", "TR-09", "VOL-16", "PC-03", "K8S-A3", "K8S-C18"},
			Needs:        needs.Zones(i + 1),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(i + 1)[i]
				class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
				claim, other := claims.Create(ctx, s, class), claims.Create(ctx, s, class)
				pod := pods.Create(ctx, s, workload.PodWith(claim).And(other).In(zone.Segment))

				inZone := []string{"TR-01", "TR-09", "K8S-A3", "K8S-C18"}
				suite.About([]string{"K8S-A3"}, func() {
					claims.MustBindBy(ctx, s, inZone, claim, zone)
					claims.MustBindBy(ctx, s, inZone, other, zone)
					pods.MustRunIn(ctx, s, pod, zone)
				})
			},
		})
	}
	return cases
}
