package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a volume took is there again once it is deleted, in whichever segment it was.
func deleteGivesBack(s *harness.Suite) {
	labels := verdict.Case("delete_gives_back", "DV-01", "CAP-07")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("has the capacity of a volume again when it is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		left := under.Changes(ctx, func() {
			harness.Need(under.Controller.DeleteVolume(ctx, deletion(under, made(ctx, under, creation(under)))))
		})

		gomega.Expect(left).To(gomega.BeEmpty(), "the capacity of a deleted volume can be used again: GetCapacity reports it (CAP-07)")
	})
}
