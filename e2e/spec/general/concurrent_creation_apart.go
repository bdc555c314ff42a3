package general

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The calls of a CO that has lost its state need not agree: a pod was rescheduled in between. Only one of them gets its
// volume. To the other the volume that there is then is incompatible.
func concurrentCreationApart(s *harness.Suite) {
	labels := verdict.Case("concurrent_creation_apart", "CV-02", "CVE-06", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 2, Volumes: 1}
	s.Case("makes one volume of calls at once that want it in different segments", labels, needs, func(ctx context.Context, under *harness.Driver) {
		here := under.CreateVolumeRequest(under.Volume(1).Within(under.Z2))
		there := under.CreateVolumeRequest(under.Volume(1).Within(under.Z3))
		there.Name = here.GetName()
		var turn atomic.Int64
		outcomes := harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
			if turn.Add(1)%2 == 0 {
				return under.Controller.CreateVolume(ctx, there)
			}
			return under.Controller.CreateVolume(ctx, here)
		})

		ids := map[string]bool{}
		for _, answer := range graceful(slices.DeleteFunc(outcomes, isTaken)) {
			ids[answer.GetVolume().GetVolumeId()] = true
		}
		gomega.Expect(len(ids)).To(gomega.BeNumerically("<=", 1), "there is one volume of a name (CV-02), and these were made: %v", ids)
	})
}

// isTaken reports whether a call was refused because the volume of its name is in another segment.
func isTaken(outcome harness.Outcome[*csi.CreateVolumeResponse]) bool {
	return status.Code(outcome.Err) == codes.AlreadyExists
}
