package general

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO that has lost its state asks for one name several times at once. Some of the calls may be ABORTED, and there is one
// volume, which the next call gets: in one place, wherever it could have been.
func concurrentCreation(s *harness.Suite) {
	labels := verdict.Case("concurrent_creation", "CV-02", "CV-03", "CV-07", "VOL-12", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	needs := claiming()
	needs.Shows = 4
	s.Case("makes one volume of several calls at once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(needs.Shows)
		asked := under.Volume(1).Within(zones...)
		request := under.CreateVolumeRequest(asked)
		answers := harness.Graceful(harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
			return under.Controller.CreateVolume(ctx, request)
		}))

		volume := under.CreateVolumeAgain(ctx, harness.Answer{Name: request.GetName()}, asked)
		gomega.Expect(volume.Code).To(gomega.Equal(codes.OK), "a call that no other is pending with is answered (CV-02)\ngot: %s", volume)
		if len(zones) > 0 {
			gomega.Expect(volume).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		}
		for _, answer := range answers {
			got, segments := answer.GetVolume(), harness.Segments(answer.GetVolume().GetAccessibleTopology())
			gomega.Expect(got.GetVolumeId()).To(gomega.Equal(volume.VolumeID), "there is one volume of a name (CV-02, CV-07)")
			gomega.Expect(segments.Equal(volume.Segments)).To(gomega.BeTrue(),
				"one volume is accessible from the same topologies in each answer (CV-03), and not from %s and from %s", segments, volume.Segments)
			gomega.Expect(maps.Equal(got.GetVolumeContext(), volume.Context)).To(gomega.BeTrue(),
				"one volume has the same volume_context in each answer (VOL-12), and not %v and %v", got.GetVolumeContext(), volume.Context)
		}
	})
}
