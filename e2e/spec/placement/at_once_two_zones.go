package placement

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Calls for one name in two topologies at the same time make one volume at most. Those for its topology answer with it, or
// ABORTED; those for the other are refused: ALREADY_EXISTS, or ABORTED while a call is under way.
func atOnceTwoZones(s *harness.Suite) {
	labels := verdict.Case("at_once_two_zones", "CV-02", "CV-03", "CV-07", "CVE-06", "GEN-02", "GEN-03")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("makes one volume of a name that is asked for in Z2 and in Z3 at the same time", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := []model.Request{under.Volume(1).Within(under.Z2), under.Volume(1).Within(under.Z3)}
		second, third := under.CreateVolumeRequest(asked[0]), under.CreateVolumeRequest(asked[1])
		third.Name = second.GetName()

		answers := under.CreateVolumesAtOnce(ctx, second, third, second, third)

		expectGraceful(answers, codes.AlreadyExists)
		volumes := made(answers)
		if len(volumes) == 0 {
			return
		}
		for i, got := range answers {
			if got.Code == codes.OK || got.Code == codes.AlreadyExists {
				gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersToRepeat(asked[i%2], under.World(), volumes[0].Segments)))
			}
		}
		for _, got := range volumes {
			gomega.Expect(got).To(harness.BeTheSameVolumeAs(volumes[0]))
		}
	})
}
