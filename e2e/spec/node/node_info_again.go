package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The CO may ask more than once and the plugin must not count on it: the first answer is whole, and the next are the same.
func nodeInfoAgain(s *harness.Suite) {
	labels := verdict.Case("node_info_again", "NI-04", "NI-05")
	needs := harness.Needs{Nodes: 1}
	s.Case("answers NodeGetInfo with the same every time", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			first := harness.Need(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}))
			for range 2 {
				again, err := node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
				gomega.Expect(err).To(harness.BeOK("NodeGetInfo may be called more than once for a node (NI-04)"))
				gomega.Expect(proto.Equal(again, first)).To(gomega.BeTrue(),
					"NodeGetInfo may be called more than once for a node (NI-04), or once only (NI-05): its first answer is as good as any\nfirst: %v\nagain: %v", first, again)
			}
		}
	})
}
