package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeStageVolume cannot do without a volume_id, a staging_target_path and a volume_capability.
func stageMissingFields(s *harness.Suite) {
	labels := verdict.Case("stage_missing_fields", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("answers INVALID_ARGUMENT to NodeStageVolume without a field that is required", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		whole := node.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, node))
		for field, clear := range map[string]func(*csi.NodeStageVolumeRequest){
			"volume_id":           func(r *csi.NodeStageVolumeRequest) { r.VolumeId = "" },
			"staging_target_path": func(r *csi.NodeStageVolumeRequest) { r.StagingTargetPath = "" },
			"volume_capability":   func(r *csi.NodeStageVolumeRequest) { r.VolumeCapability = nil },
		} {
			request := proto.CloneOf(whole)
			clear(request)
			gomega.Expect(stage(ctx, node, request)).To(harness.BeRefused(missing(field), codes.InvalidArgument))
		}
	})
}
