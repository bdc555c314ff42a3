package cluster

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume grows while no pod uses it: the claim says that a node has yet to grow the file
// system, and the next pod finds it grown.
func growUnmounted(t *suite) {
	t.it("grows a volume that is not mounted, and the next pod finds it grown",
		verdict.Case("grow_unmounted", "CE-05", "CE-13", "CE-14", "K8S-H3"),
		func(ctx context.Context, s *scenario) {
			s.mustClaim(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
			claim := s.claim(ctx, s.class(ctx, workload.Immediate()))
			s.mustBind(ctx, claim)

			wanted := s.target.VolumeSize.DeepCopy()
			wanted.Add(s.target.VolumeSize)
			s.need(s.grow(ctx, claim, wanted), "asking for a larger volume")
			s.until(ctx, s.target.Timeouts.Expand, "claim waits for a node to grow its file system", s.look(claim, func() error {
				return predicate.ClaimWaitsForNode(claim)
			}))

			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRun(ctx, pod)
			s.mustGrow(ctx, pod, s.target.VolumeSize.Value(), s.target.VolumeSize.Value())
			s.until(ctx, s.target.Timeouts.Expand, "growth of the claim finished", s.look(claim, func() error {
				return predicate.ClaimHolds(claim, wanted)
			}))
		})
}
