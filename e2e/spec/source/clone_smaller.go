package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A clone has room for all that its source has: what does not allow for that is OUT_OF_RANGE. Without limit_bytes the
// volume may also become as large as it has to be.
func cloneSmaller(s *harness.Suite) {
	labels := verdict.Case("clone_smaller", "CV-11", "CVE-01", "CVE-02", "CVE-11", "CR-05", "GEN-15", "GEN-16")
	needs := clones()
	s.Case("does not clone a volume into fewer bytes than its source has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		least := max(volume.GetCapacityBytes(), under.Size())
		source := harness.FromVolume(volume.GetVolumeId())

		limited := under.CreateVolumeRequest(under.Volume(1).OfBytes(least / 2))
		limited.VolumeContentSource = source
		limited.CapacityRange.LimitBytes = least - 1
		_, err := under.Controller.CreateVolume(ctx, limited)
		gomega.Expect(err).To(harness.BeRefused("a volume smaller than its source is OUT_OF_RANGE (CVE-11)", codes.OutOfRange))

		got := under.CreateVolumeFrom(ctx, source, under.Volume(1).OfBytes(least/2))
		if got.Code == codes.OK {
			gomega.Expect(got.Volume.GetCapacityBytes()).To(gomega.Or(gomega.BeZero(), gomega.BeNumerically(">=", least)), "the volume is not smaller than its source (CV-11)")
			return
		}
		gomega.Expect(got.Code).To(gomega.Equal(codes.OutOfRange), "a volume smaller than its source is OUT_OF_RANGE (CVE-11)\ngot: %s", got)
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
