package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What is not there is deleted.
func deleteUnknown(s *harness.Suite) {
	labels := verdict.Case("delete_unknown", "DV-02")
	needs := harness.Needs{Volumes: 1}
	s.Case("answers OK for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := under.Controller.DeleteVolume(ctx, deletion(under, unknown()))

		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a volume that does not exist is OK (DV-02)")
	})
}

// unknown is a volume that no driver has.
func unknown() *csi.Volume {
	return &csi.Volume{VolumeId: "csi-topo-no-such-volume"}
}
