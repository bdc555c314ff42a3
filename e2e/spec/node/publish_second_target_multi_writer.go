package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of SINGLE_NODE_MULTI_WRITER may be at several paths of a node, at one of them read-only perhaps.
func publishSecondTargetMultiWriter(s *harness.Suite) {
	labels := verdict.Case("publish_second_target_multi_writer", "NS-14")
	needs := publishing()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
	s.Case("should publish a volume of SINGLE_NODE_MULTI_WRITER at a second target path", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, capability := under.NeedVolumeOf(ctx, under.VolumeFor(node), csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)
		first := publishedWith(ctx, under, node, volume, capability)
		for _, readOnly := range []bool{false, true} {
			second := proto.CloneOf(first)
			second.TargetPath, second.Readonly = node.TargetPath(ctx), readOnly

			if got := publish(ctx, node, second); got != nil {
				verdict.Warn("a volume of SINGLE_NODE_MULTI_WRITER at a second target path, readonly = %v, should be OK (NS-14), and is %s", readOnly, answer(got))
			}
		}
	})
}
