// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity/options"
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
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
	// NodeID is the node's id, and Index its place among the target's nodes.
	NodeID string
	Index  int
}

// Register declares csi-sanity's cases for each of the segments; extent says in which of them they run. Case ids count the
// cases of a segment in the order in which csi-sanity declares them. Without a segment, one case says what is missing.
// finish ends csi-sanity's connections, after the run.
func Register(tier *harness.Suite, segments []Segment, extent Extent) (finish func()) {
	if len(segments) == 0 {
		ginkgo.Describe(Label, ginkgo.Serial, ginkgo.Label(Label), func() {
			ginkgo.It("runs csi-sanity", verdict.Unregistered("sanity"), func() {
				verdict.Skip(suite.ByEnvironment, "no node endpoint was given, and csi-sanity needs one")
			})
		})
		return func() {}
	}
	var contexts []*sanity.TestContext
	lent := tier.Lend()
	for i, segment := range segments {
		r := &run{
			amender:    amender{tier.Target(), segment.Topology, i + 1, map[string]int64{}},
			controller: lent.Controller,
			left:       map[string]bool{},
			pending:    map[string]time.Time{},
		}
		ginkgo.Describe(areaOf(segment.Topology), ginkgo.Serial, ginkgo.Label(Label), func() {
			ginkgo.BeforeEach(func() {
				if why, by := extent.leavesOut(i, tier.VolumeTook()); why != "" {
					verdict.Skip(by, "%s", why)
				}
			})
			lent.Follow()
			ginkgo.AfterEach(r.mustLeaveNothing)
			defer ginkgo.AddTreeConstructionNodeArgsTransformer(r.numbered())()
			contexts = append(contexts, sanity.GinkgoTest(r.config(segment, lent.Nodes[segment.Index])))
		})
	}
	return func() {
		for _, context := range contexts {
			context.Finalize()
		}
	}
}

// areaOf names the cases of a segment: csi-sanity, region=R1,zone=Z2. The prefixes of keys would make the report's table
// too wide for a terminal.
func areaOf(segment model.Segment) string {
	if len(segment) == 0 {
		return Label
	}
	short := model.Segment{}
	for key, value := range segment {
		name := path.Base(key)
		if _, taken := short[name]; taken {
			return Label + ", " + segment.String()
		}
		short[name] = value
	}
	return Label + ", " + short.String()
}

// numbered gives every case an id, as a label, and has its failures judged.
func (r *run) numbered() func(types.NodeType, ginkgo.Offset, string, []any) (string, []any, []error) {
	count := 0
	return func(node types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
		if node != types.NodeTypeIt {
			return text, args, nil
		}
		count++
		id := fmt.Sprintf("sanity_%d_%03d", r.number, count)
		args = append(slices.Clone(args), verdict.Unregistered(id))
		for i, arg := range args {
			if body, isBody := arg.(func()); isBody {
				args[i] = r.judged(body)
			}
		}
		return text, args, nil
	}
}

// config is csi-sanity's own, with all that the profile says.
func (r *run) config(segment Segment, node grpc.ClientConnInterface) *sanity.TestConfig {
	config := options.Of(r.target.Profile)
	config.Address, config.ControllerAddress = segment.Node, segment.Controller
	config.DialOptions = append(config.DialOptions, grpc.WithUnaryInterceptor(r.through(node)))
	config.ControllerDialOptions = append(config.ControllerDialOptions, grpc.WithUnaryInterceptor(r.through(r.controller)))
	config.TestNodeVolumeAttachLimit = false // the case attach_limit asks the same
	config.IDGen = &ids{run: r, node: segment.NodeID}
	directories(&config, r.target, r.number, segment.NodeID)
	return &config
}

// directories has csi-sanity's directories made where the node is.
func directories(config *sanity.TestConfig, target *harness.Target, run int, node string) {
	root := filepath.Join(target.Paths.Root(), fmt.Sprintf("csi-topo-%s-sanity-%d", target.Run, run))
	config.TargetPath, config.StagingPath = filepath.Join(root, "target"), filepath.Join(root, "staging")
	place := onNode{target.Paths, node}
	config.CreateTargetDir, config.CreateStagingDir = place.make, place.make
	config.RemoveTargetPath, config.RemoveStagingPath = place.remove, place.remove
	if !target.Profile.FakeNodes { // csi-sanity leaves out the cases that look at paths
		config.CheckPath = place.check
	}
}
