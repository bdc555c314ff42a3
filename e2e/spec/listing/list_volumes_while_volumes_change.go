package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// While volumes are made and deleted, a CO that pages may see a volume twice, or miss one. A token that is not good any
// more is ABORTED, and a list from the beginning then has what there is.
func listVolumesWhileVolumesChange(s *harness.Suite) {
	labels := verdict.Case("list_volumes_while_volumes_change", "LV-01", "LV-04", "LV-17", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 4, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("goes on with a page, or says ABORTED, after volumes were made and deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		made := newVolumes(ctx, under, 3)
		first := harness.Need(list(ctx, under, 1, ""))
		remove(ctx, under, made[0])
		made = append(made[1:], newVolumes(ctx, under, 1)...)

		if _, err := list(ctx, under, 1, first.GetNextToken()); err != nil {
			gomega.Expect(err).To(harness.BeRefused("a starting_token that is not valid any more is ABORTED (LV-17)", codes.Aborted))
		}
		under.Eventually(ctx, func(g gomega.Gomega) {
			listed, _ := walk(ctx, under, 0)
			g.Expect(times(listed, made)).To(gomega.Equal(onceEach(made)), "a new list has all volumes that there are now (LV-01)")
		})
	})
}
