package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of SINGLE_NODE_SINGLE_WRITER is at one path of a node. A second one should be FAILED_PRECONDITION, whether it is asked for in
// the same way or read-only.
func publishSecondTargetSingleWriter(s *harness.Suite) {
	labels := verdict.Case("publish_second_target_single_writer", "NS-14")
	needs := publishing()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
	s.Case("should refuse a second target path for a volume of SINGLE_NODE_SINGLE_WRITER", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		first := publishedAs(ctx, under, node, harness.As(under.Mount(), csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER))
		for _, readOnly := range []bool{false, true} {
			second := proto.CloneOf(first)
			second.TargetPath, second.Readonly = node.TargetPath(ctx), readOnly

			got := publish(ctx, node, second)
			if got == nil {
				harness.Need(node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: second.GetVolumeId(), TargetPath: second.GetTargetPath()}))
			}
			if status.Code(got) != codes.FailedPrecondition {
				verdict.Warn("a volume of SINGLE_NODE_SINGLE_WRITER at a second target path, readonly = %v, should be FAILED_PRECONDITION (NS-14), and is %s", readOnly, answer(got))
			}
		}
	})
}
