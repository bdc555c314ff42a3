package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ListVolumes has all volumes that the driver knows, and a list of everything has each of them once.
func listVolumesHasEachOnce(s *harness.Suite) {
	labels := verdict.Case("list_volumes_has_each_once", "LV-01", "LV-08", "VOL-03", "VOL-04")
	needs := harness.Needs{Volumes: 3, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists every volume once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		made := newVolumes(ctx, under, 3)

		under.Eventually(ctx, func(g gomega.Gomega) {
			listed, _ := walk(ctx, under, 0)
			g.Expect(times(listed, made)).To(gomega.Equal(onceEach(made)), "a list of all volumes has each of them (LV-01) once")
		})
	})
}
