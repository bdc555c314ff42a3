// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// immediateOneZone allows one zone, so requisite is one topology: the volume is exactly there, and the later pod follows
// it, against the pod's preference.
func immediateOneZone() harness.Case {
	return harness.Case{
		ID:           "immediate_one_zone",
		Text:         "creates the volume in the one allowed zone, and its pod follows",
		Requirements: []string{"TR-01", "TR-07", "TR-09", "VOL-19", "K8S-A4", "K8S-B9", "K8S-C1"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			wanted, other := zones[1], zones[0]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(wanted.Segment)))

			claims.MustBindIn(ctx, s, claim, wanted)

			pod := pods.Create(ctx, s, workload.PodWith(claim).Preferring(other.Segment))
			pods.MustRunIn(ctx, s, pod, wanted)
		},
	}
}
