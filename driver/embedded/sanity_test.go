package embedded_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// notClaimed are the reasons for which csi-sanity may skip: capabilities that
// the driver does not claim. Any other skip is a case that was to run.
var notClaimed = []string{
	"Snapshot not supported",
	"Volume Cloning not supported",
	"Modify volume not supported",
	"Modify Volume not supported",
	"ControllerPublishVolume.readonly field not supported",
	"ListSnapshots not supported",
	"GetSnapshot not supported",
	"DeleteSnapshot not supported",
	"CreateSnapshot not supported",
	"SNAPSHOT_ACCESSIBILITY_CONSTRAINTS not supported",
	"ControllerModifyVolume not supported",
	"ControllerGetVolumeHealth not supported",
	"ControllerListVolumeHealth not supported",
	"GroupControllerService not supported",
	"NodeGetVolumeHealth not supported",
	"NodeGetStorageHealth not supported",
}

func TestSanity(t *testing.T) {
	driver := start(t, embedded.Options{MaxVolumesPerNode: 3})
	for _, node := range driver.Nodes {
		directory := t.TempDir()
		config := sanity.NewTestConfig()
		config.Address = node.Endpoint
		config.ControllerAddress = driver.Controller
		config.ControllerDialOptions = append(config.ControllerDialOptions, grpc.WithUnaryInterceptor(accessibleFrom(node.Segment)))
		config.TargetPath = filepath.Join(directory, "target")
		config.StagingPath = filepath.Join(directory, "staging")
		config.TestVolumeSize = 64 << 20
		config.TestVolumeExpandSize = 96 << 20
		config.TestNodeVolumeAttachLimit = true
		ginkgo.Describe(node.Segment.String(), func() {
			context := sanity.GinkgoTest(&config)
			t.Cleanup(context.Finalize)
		})
	}
	ginkgo.ReportAfterEach(func(spec ginkgo.SpecReport) {
		if spec.State.Is(types.SpecStateSkipped) && !slices.Contains(notClaimed, spec.Failure.Message) {
			t.Errorf("%s was skipped: %s", spec.FullText(), spec.Failure.Message)
		}
	})
	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	reporter.Succinct = true
	ginkgo.RunSpecs(t, "csi-sanity", suite, reporter)

	if ids := driver.Volumes.IDs(); len(ids) > 0 {
		t.Errorf("volumes left behind: %v", ids)
	}
}

// accessibleFrom asks for every volume to be accessible from the node that
// csi-sanity publishes it on, as an orchestrator would: csi-sanity itself says so
// in some of its cases, and in others leaves it to chance.
func accessibleFrom(segment topology.Segment) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
		if create, ok := request.(*csi.CreateVolumeRequest); ok && create.AccessibilityRequirements == nil {
			create.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: segment}}}
		}
		return invoke(ctx, method, request, reply, connection, options...)
	}
}
