package cluster

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is attached to its pod's node before the pod's container starts, as the order
// of the changes in the API server shows.
func attachedBeforeRunning(t *suite) {
	t.it("attaches the volume to the pod's node before the pod runs",
		verdict.Case("attached_before_running", "CP-02", "NS-02", "K8S-I1"),
		func(ctx context.Context, s *scenario) {
			s.mustClaim(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			changes := s.watchStart(ctx)
			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRun(ctx, pod)

			volume := s.volumeOf(ctx, claim)
			s.check(s.attachment(ctx, volume, pod))
			s.until(ctx, s.target.Timeouts.Run, "order of attachment and start", func(context.Context) error {
				return predicate.InOrder("first change that shows volume "+volume.Name+" attached", changes.attached(volume.Name),
					"first change that shows pod "+pod.Name+" started", changes.started(pod.UID))
			})
		})
}
