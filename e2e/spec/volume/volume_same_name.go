package volume

import (
	"context"
	"strings"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name is how a CO that has lost an answer asks for it again: all that is said of the volume is the same, and there is
// one volume. A driver that uses up more storage with each call SHOULD not.
func volumeSameName(s *harness.Suite) {
	labels := verdict.Case("volume_same_name", "CV-02", "CV-07", "VOL-08", "VOL-12")
	needs := harness.Needs{Volumes: 1}
	s.Case("answers a repeated call with the same volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		volume := made(ctx, under, request)

		more := under.Changes(ctx, func() {
			again, err := under.Controller.CreateVolume(ctx, request)
			gomega.Expect(err).NotTo(gomega.HaveOccurred(), "CreateVolume is idempotent (CV-02)")
			gomega.Expect(again.GetVolume().GetVolumeId()).To(gomega.Equal(volume.GetVolumeId()), "CreateVolume is idempotent (CV-02)")
			if now, before := again.GetVolume().GetCapacityBytes(), volume.GetCapacityBytes(); now != 0 && before != 0 { // that is not known (VOL-01)
				gomega.Expect(now).To(gomega.Equal(before), "the volume of a repeated call is as large as before (CV-02)")
			}
			gomega.Expect(again.GetVolume().GetVolumeContext()).To(gomega.Equal(volume.GetVolumeContext()),
				"a volume always reports the same volume_context (VOL-12)")
		})

		if len(more) > 0 {
			verdict.Warn("a repeated call for one name should not make another piece of storage (CV-07), and yet: %s", strings.Join(more, "; "))
		}
	})
}
