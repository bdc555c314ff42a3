package sanity

import (
	"fmt"
	"path/filepath"

	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Label is that of all cases of csi-sanity.
const Label = "csi-sanity"

// Segment is where csi-sanity runs once.
type Segment struct {
	// Topology is the segment, empty for a driver without topology.
	Topology model.Segment
	// Controller and Node are gRPC targets, such as unix:///csi/csi.sock.
	Controller, Node string
	// NodeID is the node's id.
	NodeID string
}

// Register declares csi-sanity's cases for each of the segments. Case ids count the cases of a segment in the order in
// which csi-sanity declares them. around declares, in each of the areas, what is to happen around every case. finish ends
// csi-sanity's connections, after the run.
func Register(target *harness.Target, segments []Segment, around func()) (finish func()) {
	var contexts []*sanity.TestContext
	for i, segment := range segments {
		area := Label
		if len(segment.Topology) > 0 {
			area += ", " + segment.Topology.String()
		}
		ginkgo.Describe(area, ginkgo.Serial, ginkgo.Label(Label), func() {
			around()
			defer ginkgo.AddTreeConstructionNodeArgsTransformer(numbered(i + 1))()
			contexts = append(contexts, sanity.GinkgoTest(config(target, segment, i+1)))
		})
	}
	return func() {
		for _, context := range contexts {
			context.Finalize()
		}
	}
}

// numbered gives every case an id, as a label.
func numbered(run int) func(types.NodeType, ginkgo.Offset, string, []any) (string, []any, []error) {
	count := 0
	return func(node types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
		if node != types.NodeTypeIt {
			return text, args, nil
		}
		count++
		id := fmt.Sprintf("sanity_%d_%03d", run, count)
		return text, append(args, verdict.Unregistered(id)), nil
	}
}

func config(target *harness.Target, segment Segment, run int) *sanity.TestConfig {
	described := target.Profile
	parameters, _ := described.Parameters(1)
	config := sanity.NewTestConfig()
	config.Address, config.ControllerAddress = segment.Node, segment.Controller
	amend := grpc.WithUnaryInterceptor(amender{target, segment.Topology}.intercept)
	config.DialOptions = append(config.DialOptions, amend)
	config.ControllerDialOptions = append(config.ControllerDialOptions, amend)
	config.TestVolumeSize, config.TestVolumeExpandSize = described.VolumeBytes, described.Grown()
	config.TestVolumeParameters = parameters
	config.TestVolumeMutableParameters = described.MutableParameters
	config.TestSnapshotParameters = described.SnapshotParameters
	config.TestNodeVolumeAttachLimit = true
	config.IDGen = &ids{amender: amender{target, segment.Topology}, node: segment.NodeID}
	directories(&config, target, run)
	return &config
}

// directories has csi-sanity's directories made where the nodes are.
func directories(config *sanity.TestConfig, target *harness.Target, run int) {
	const node = "" // csi-sanity does not say which node it means: the segment has one
	root := filepath.Join(target.Paths.Root(), fmt.Sprintf("csi-topo-%s-sanity-%d", target.Run, run))
	config.TargetPath, config.StagingPath = filepath.Join(root, "target"), filepath.Join(root, "staging")
	place := onNode{target.Paths, node}
	config.CreateTargetDir, config.CreateStagingDir = place.make, place.make
	config.RemoveTargetPath, config.RemoveStagingPath = place.remove, place.remove
	config.CheckPath = place.check
}
