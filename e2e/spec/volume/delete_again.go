package volume

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO that has lost an answer asks again. What is not there, or never was, is deleted.
func deleteAgain(s *harness.Suite) {
	labels := verdict.Case("delete_again", "CV-01", "DV-01", "DV-02")
	needs := harness.Needs{Volumes: 1}
	s.Case("deletes a volume, once or twice, and one that never was", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := deletion(under, made(ctx, under, creation(under)))

		_, err := under.Controller.DeleteVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "DeleteVolume is implemented where CREATE_DELETE_VOLUME is claimed (CV-01)")
		_, err = under.Controller.DeleteVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "DeleteVolume is idempotent (DV-01): a volume that does not exist any more is OK (DV-02)")
		_, err = under.Controller.DeleteVolume(ctx, deletion(under, unknown()))
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a volume that does not exist is OK (DV-02)")
	})
}
