package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is never smaller than the snapshot that it is made from: what does not allow for that is OUT_OF_RANGE.
// Without limit_bytes the volume may also become as large as it has to be.
func restoreSmaller(s *harness.Suite) {
	labels := verdict.Case("restore_smaller", "CS-11", "CV-11", "CVE-01", "CVE-02", "CVE-11", "CR-05", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("does not restore a volume into fewer bytes than its source has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)
		least := snapshot.GetSizeBytes()
		if least < 2 {
			verdict.Skip(verdict.ByCapability, "the driver does not say how large a snapshot is, so that no smaller size is known")
		}
		source := harness.FromSnapshot(snapshot.GetSnapshotId())

		limited := under.CreateVolumeRequest(under.Volume(1).OfBytes(least / 2))
		limited.VolumeContentSource = source
		limited.CapacityRange.LimitBytes = least - 1
		_, err := under.Controller.CreateVolume(ctx, limited)
		gomega.Expect(err).To(harness.BeRefused("a volume smaller than its source is OUT_OF_RANGE (CVE-11)", codes.OutOfRange))

		got := under.CreateVolumeFrom(ctx, source, under.Volume(1).OfBytes(least/2))
		if got.Code == codes.OK {
			gomega.Expect(got.Volume.GetCapacityBytes()).To(gomega.Or(gomega.BeZero(), gomega.BeNumerically(">=", least)), "the volume is not smaller than its source (CS-11)")
			return
		}
		gomega.Expect(got.Code).To(gomega.Equal(codes.OutOfRange), "a volume smaller than its source is OUT_OF_RANGE (CVE-11)\ngot: %s", got)
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
