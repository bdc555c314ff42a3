package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Requisite is one topology: the volume is exactly there, and the pod that comes later
// follows it, against its own preference.
func immediateOneZone(t *suite) {
	t.it("makes the volume in the one allowed zone, and its pod follows",
		verdict.Case("immediate_one_zone", "TR-01", "TR-07", "TR-09", "VOL-19", "K8S-A4", "K8S-B9", "K8S-C1"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			wanted, other := zones[1], zones[0]
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().AllowedIn(wanted.segment)))

			s.mustBindIn(ctx, claim, wanted)

			pod := s.pod(ctx, workload.PodWith(claim).Preferring(other.segment))
			s.mustRunIn(ctx, pod, wanted)
		})
}
