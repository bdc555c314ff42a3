package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// name and source_volume_id are required.
func snapshotRequiredFields(s *harness.Suite) {
	labels := verdict.Case("snapshot_required_fields", "CS-17", "SN-05", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("refuses a snapshot without name or source_volume_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1)))
		nameless, sourceless := proto.CloneOf(request), proto.CloneOf(request)
		nameless.Name, sourceless.SourceVolumeId = "", ""

		_, err := under.Controller.CreateSnapshot(ctx, nameless)
		gomega.Expect(err).To(harness.BeRefused("name is required (SN-05): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
		_, err = under.Controller.CreateSnapshot(ctx, sourceless)
		gomega.Expect(err).To(harness.BeRefused("source_volume_id is required (SN-05): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
