package cluster

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The zone is filled after its CSIStorageCapacity was published, so the scheduler believes
// in room that is gone. The driver's RESOURCE_EXHAUSTED makes the provisioner take the
// selected node back and refresh the objects, and the scheduler chooses another zone. The
// full zone keeps nothing of the attempt.
func staleReschedules(t *suite) {
	t.it("moves a pod to another zone when its volume meets RESOURCE_EXHAUSTED, and leaves nothing behind",
		verdict.Case("stale_reschedules", "CVE-08", "CVE-10", "TR-08", "K8S-D8", "K8S-F1", "K8S-F10"),
		func(ctx context.Context, s *scenario) {
			full := s.zones(2)[0]
			size := s.target.VolumeSize.Value()
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.mustPublishCapacity(ctx, class)
			s.fill(ctx, full)
			taken := s.room(ctx, full)
			shown, err := s.published(ctx, class, full)
			s.need(err, "reading the full zone's CSIStorageCapacity")
			if shown < size {
				verdict.CouldNotTell("the CSIStorageCapacity of zone %s is not stale, it shows %d bytes; give the provisioner a longer --capacity-poll-interval", full, shown)
			}

			claim := s.claim(ctx, class)
			selected := s.watchSelectedNode(ctx, claim)
			pod := s.pod(ctx, workload.PodWith(claim).Preferring(full.segment))

			s.mustBeRefused(ctx, claim, codes.ResourceExhausted)
			s.mustRunIn(ctx, pod, s.allBut(full)...)
			s.mustShareZone(ctx, claim, pod)
			s.until(ctx, s.target.Timeouts.Bind, "selected node set, removed and set elsewhere", func(context.Context) error {
				nodes, _ := selected.seen()
				return predicate.Rescheduled(nodes, full.nodeNames())
			})
			nodes, _ := selected.seen()
			verdict.Evidence("selected nodes", nodes)
			s.mustPublish(ctx, class, full, "refreshed capacity of the full zone", func(bytes int64) error {
				return predicate.Fewer("CSIStorageCapacity of the full zone "+full.name, bytes, size)
			})
			s.check(predicate.Equal("room in the full zone "+full.name+" after the attempt", s.room(ctx, full), taken))
			s.mustListOnly(ctx, s.volumeOf(ctx, claim))
		})
}
