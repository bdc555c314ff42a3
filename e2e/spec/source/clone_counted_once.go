package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The new volume takes its size of its own segments, once, and nothing of the source's.
func cloneCountedOnce(s *harness.Suite) {
	labels := verdict.Case("clone_counted_once", "CAP-07", "CAP-11", "CAP-12", "CAP-13")
	needs := clones()
	needs.ExactCapacity = true
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	s.Case("takes the size of a volume once that it clones", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		source := harness.FromVolume(volume.GetVolumeId())
		before := under.Watch(ctx)

		made, bytes := needMade(ctx, under, source, volume)

		gomega.Expect(before.Taken(ctx, bytes, made.GetAccessibleTopology())).To(gomega.BeEmpty(),
			"the volume has %d bytes, and GetCapacity tells what is left of its segments (CAP-07)", bytes)
	})
}
