package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// One controller lists the volumes of all segments.
func listVolumesOfEverySegment(s *harness.Suite) {
	labels := verdict.Case("list_volumes_of_every_segment", "LV-01")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists the volumes of every segment", labels, needs, func(ctx context.Context, under *harness.Driver) {
		made := newVolumes(ctx, under, len(under.Zones(4)))

		under.Eventually(ctx, func(g gomega.Gomega) {
			listed, _ := walk(ctx, under, 0)
			g.Expect(times(listed, made)).To(gomega.Equal(onceEach(made)), "volumes were made in %s, and all are known (LV-01)", under.Zones(4))
		})
	})
}
