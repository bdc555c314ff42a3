// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity/options"
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// Label is the label of all cases of csi-sanity.
const Label = "csi-sanity"

// Segment is one segment in which csi-sanity runs.
type Segment struct {
	// Topology is the segment, empty for a driver without topology.
	Topology model.Segment
	// Controller and Node are gRPC targets, such as unix:///csi/csi.sock.
	Controller, Node string
	// NodeID is the node's id, and Index its position among the target's nodes.
	NodeID string
	Index  int
}

// Declare declares csi-sanity's cases for each of the segments in the Ginkgo suite of the process; extent selects the
// segments in which they run. Case ids count the cases of a segment in the order of their declaration. Without a segment,
// one case reports the reason. When ctx ends, cases that have not begun are left out. After the run, finish closes
// csi-sanity's connections, and removes its leftovers in the driver.
func Declare(ctx context.Context, tier *harness.Suite, segments []Segment, extent Extent) (finish func(context.Context)) {
	_, finish = declare(ctx, tier, segments, extent, nil)
	return finish
}

func declare(ctx context.Context, tier *harness.Suite, segments []Segment, extent Extent, watch suite.Watcher) (runs []*run, finish func(context.Context)) {
	if len(segments) == 0 {
		ginkgo.Describe(Label, ginkgo.Serial, ginkgo.Label(Label), func() {
			ginkgo.It("sanity runs csi-sanity", ginkgo.Label("case:sanity"), func() { ginkgo.Skip(missing) })
		})
		return nil, func(context.Context) {}
	}
	lent := tier.Lend()
	for i, segment := range extent.among(segments) {
		r := &run{
			amender:    amender{tier.Target(), segment.Topology, i + 1, map[string]int64{}, map[string]map[string]string{}},
			controller: lent.Controller,
			lent:       lent,
			ended:      ctx,
			left:       map[string]bool{},
			uses:       map[string]bool{},
			pending:    map[string]time.Time{},
		}
		runs = append(runs, r)
		ginkgo.Describe(areaOf(segment.Topology), ginkgo.Serial, ginkgo.Label(Label), func() {
			ginkgo.BeforeEach(func() { r.begin(tier, lent, watch) })
			ginkgo.BeforeEach(func() {
				r.node(func() {
					if why, by := extent.leavesOut(i, tier.VolumeTook()); why != "" {
						suite.Skip(by, "%s", why)
					}
					lent.MustAnswer(ctx)
				})
			})
			ginkgo.AfterEach(func() {
				lent.Ended()
				r.node(r.mustLeaveNothing)
			})
			defer ginkgo.AddTreeConstructionNodeArgsTransformer(r.numbered())()
			r.context = sanity.GinkgoTest(r.config(segment, lent.Nodes[segment.Index]))
		})
	}
	return runs, func(ctx context.Context) {
		for _, r := range runs {
			if r.context != nil {
				r.context.Finalize()
			}
		}
		lent.GiveBack(ctx)
	}
}

// missing is the reason why csi-sanity does not run without a segment.
const missing = "no node endpoint was given, and csi-sanity needs one"

// begin begins a case with its own outcome.
func (r *run) begin(tier *harness.Suite, lent *harness.Lent, watch suite.Watcher) {
	r.spec = nil
	if r.ended.Err() != nil {
		ginkgo.Skip("the run has ended")
	}
	spec := ginkgo.CurrentSpecReport()
	id := idOf(spec)
	if watch != nil {
		watch.Begin(id)
	}
	r.spec = &edge.Spec{}
	r.spec.Edit = tier.Mask().Text
	r.spec.Record(lent.Follow(id))
}

// areaOf returns the area of the cases of a segment: csi-sanity, region=R1,zone=Z2. With the prefixes of keys, the report's
// table would be too wide for a terminal.
func areaOf(segment model.Segment) string {
	if len(segment) == 0 {
		return Label
	}
	short := model.Segment{}
	for key, value := range segment {
		name := path.Base(key)
		if _, taken := short[name]; taken {
			return suite.CutName(Label + ", " + segment.String())
		}
		short[name] = value
	}
	return suite.CutName(Label + ", " + short.String())
}

// numbered returns a transformer that gives every case an id, as a label and before its text, and lets the functions of
// this package judge the findings of nodes.
func (r *run) numbered() func(types.NodeType, ginkgo.Offset, string, []any) (string, []any, []error) {
	count := 0
	return func(node types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
		wrap := r.node
		switch node {
		case types.NodeTypeIt:
			count++
			id := fmt.Sprintf("sanity_%d_%03d", r.number, count)
			labels := ginkgo.Label(caseLabel + id)
			if slices.Contains(alone, text) {
				labels = append(labels, suite.AloneLabel)
			}
			args, text, wrap = append(slices.Clone(args), labels), id+" "+text, r.body
		case types.NodeTypeBeforeEach, types.NodeTypeAfterEach:
		default:
			return text, args, nil
		}
		for i, arg := range args {
			if body, isBody := arg.(func()); isBody {
				args[i] = func() { wrap(body) }
			}
		}
		return text, args, nil
	}
}

const caseLabel = "case:"

// alone lists the texts of the cases that compare a list with an earlier one, so they must run alone.
var alone = []string{
	"check the presence of new volumes and absence of deleted ones in the volume list",
	"check the presence of new snapshots in the snapshot list",
	"should return next token when a limited number of entries are requested",
}

// idOf returns the id of a case of csi-sanity.
func idOf(spec types.SpecReport) string {
	for _, label := range spec.Labels() {
		if id, found := strings.CutPrefix(label, caseLabel); found {
			return id
		}
	}
	return ""
}

// node runs a node around the cases.
func (r *run) node(body func()) {
	if r.spec == nil { // it did not begin
		return
	}
	r.refused = call{}
	r.spec.Node(body, r.judgeAround)
}

// config returns csi-sanity's configuration, with all settings of the profile.
func (r *run) config(segment Segment, node grpc.ClientConnInterface) *sanity.TestConfig {
	config := options.Of(r.target.Profile)
	config.Address, config.ControllerAddress = segment.Node, segment.Controller
	config.DialOptions = append(config.DialOptions, grpc.WithUnaryInterceptor(r.through(node)))
	config.ControllerDialOptions = append(config.ControllerDialOptions, grpc.WithUnaryInterceptor(r.through(r.controller)))
	config.TestNodeVolumeAttachLimit = false // the case attach_limit checks this
	config.IDGen = &ids{run: r, node: segment.NodeID}
	directories(&config, r.target, r.number, segment.NodeID)
	return &config
}

// directories makes csi-sanity create its directories on the node.
func directories(config *sanity.TestConfig, target *harness.Target, run int, node string) {
	root := filepath.Join(target.Paths.Root(), fmt.Sprintf("csi-topo-%s-sanity-%d", target.Run, run))
	config.TargetPath, config.StagingPath = filepath.Join(root, "target"), filepath.Join(root, "staging")
	place := onNode{target.Paths, node}
	config.CreateTargetDir, config.CreateStagingDir = place.make, place.make
	config.RemoveTargetPath, config.RemoveStagingPath = place.remove, place.remove
	if !target.Profile.FakeNodes { // without CheckPath, csi-sanity leaves out the cases that check paths
		config.CheckPath = place.check
	}
}
