package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Calls for different names at the same time make no more volumes than there is room for, and those that are refused take
// none of it.
func atOnceLastRoom(s *harness.Suite) {
	labels := verdict.Case("at_once_last_room", "TR-08", "CVE-08", "GEN-15", "GEN-16")
	needs := harness.Needs{
		Segments: 1, Volumes: 4, Exhaustion: true, ExactCapacity: true,
		Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY},
	}
	s.Case("makes no more volumes at the same time than fit into Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		room := under.FillBut(ctx, 2*under.Size(), under.Z2)
		fit := int(room / under.Size())
		asked := under.Volume(1).Within(under.Z2)
		var requests []*csi.CreateVolumeRequest
		for range fit + 3 {
			requests = append(requests, under.CreateVolumeRequest(asked))
		}

		answers := under.CreateVolumesAtOnce(ctx, requests...)

		count := len(made(answers))
		gomega.Expect(count).To(gomega.BeNumerically("<=", fit),
			"%s had room for %d bytes, and each volume has %d: more were made than fit (TR-08)", under.Z2, room, under.Size())
		for _, got := range answers {
			if got.Code != codes.OK {
				gomega.Expect(got.Code).To(gomega.BeElementOf(codes.ResourceExhausted, codes.Aborted), "a topology where nothing can be provisioned is RESOURCE_EXHAUSTED (CVE-08)\ngot: %s", got)
				gomega.Expect(got).To(harness.LeaveNothingBehind())
			}
		}
		for range fit - count {
			got := under.CreateVolume(ctx, asked)
			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		}
	})
}
