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

// NodePublishVolume cannot do without a volume_id, a target_path and a volume_capability.
func publishMissingFields(s *harness.Suite) {
	labels := verdict.Case("publish_missing_fields", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := publishing()
	s.Case("answers INVALID_ARGUMENT to NodePublishVolume without a field that is required", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		whole := node.NodePublishVolumeRequest(ctx, node.Stage(ctx, under.NeedVolume(ctx, under.VolumeFor(node))))
		for field, clear := range map[string]func(*csi.NodePublishVolumeRequest){
			"volume_id":         func(r *csi.NodePublishVolumeRequest) { r.VolumeId = "" },
			"target_path":       func(r *csi.NodePublishVolumeRequest) { r.TargetPath = "" },
			"volume_capability": func(r *csi.NodePublishVolumeRequest) { r.VolumeCapability = nil },
		} {
			request := proto.CloneOf(whole)
			clear(request)
			gomega.Expect(publish(ctx, node, request)).To(harness.BeRefused(missing(field), codes.InvalidArgument))
		}
	})
}
