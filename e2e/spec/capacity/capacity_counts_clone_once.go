package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A clone is one more volume, and takes no more than it has. It may take less: what it shares with its source is there
// once.
func capacityCountsCloneOnce(s *harness.Suite) {
	labels := verdict.Case("capacity_counts_clone_once", "CAP-11", "CAP-12")
	needs := harness.Needs{Volumes: 3, ExactCapacity: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CLONE_VOLUME}}
	s.Case("counts a clone once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := available(ctx, under, under.Z2)
		source := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		clone := harness.Need(under.Controller.CreateVolume(ctx, cloneRequest(under, source))).GetVolume()

		taken := bytesOf(under, source) + bytesOf(under, clone)
		gomega.Expect(available(ctx, under, under.Z2)).To(gomega.BeNumerically(">=", before-taken),
			"of %d bytes a volume and its clone have %d: there are at least %d left (CAP-12)", before, taken, before-taken)
	})
}
