package growth

import (
	"context"
	"fmt"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// nodeGrowth is what every case on NodeExpandVolume needs.
func nodeGrowth() harness.Needs {
	return harness.Needs{Volumes: 1, Nodes: 1, Node: []csi.NodeServiceCapability_RPC_Type{csi.NodeServiceCapability_RPC_EXPAND_VOLUME}}
}

// grownVolume makes a volume for the node that the controller has grown to the size already, where it does that: no node
// has the volume yet, so that drivers whose expansion is OFFLINE can.
func grownVolume(ctx context.Context, under *harness.Driver, node *harness.Node) (volume *csi.Volume, bytes int64) {
	volume = under.NeedVolume(ctx, under.VolumeFor(node))
	bytes = larger(under, volume)
	under.Grow(ctx, volume, bytes, under.Mount())
	return volume, bytes
}

// mustGrowOnNode grows a volume that the node has. Where its file system cannot grow in use the case has a warning, and
// the answer is nil.
func mustGrowOnNode(ctx context.Context, node *harness.Node, request *csi.NodeExpandVolumeRequest) *csi.NodeExpandVolumeResponse {
	ginkgo.GinkgoHelper()
	response, err := node.NodeExpandVolume(ctx, request)
	if status.Code(err) == codes.FailedPrecondition {
		gomega.Expect(err).To(harness.BeRefused("a file system that cannot grow in use is FAILED_PRECONDITION (NE-27)", codes.FailedPrecondition))
		verdict.Warn("NodeExpandVolume, which is for volumes in use only (NE-04), says that this one cannot grow in use (NE-27)\ngot: %v", err)
		return nil
	}
	gomega.Expect(err).To(harness.BeOK(growsOnNode(request)))
	if got := response.GetCapacityBytes(); got != 0 {
		gomega.Expect(got).To(gomega.BeNumerically(">=", request.GetCapacityRange().GetRequiredBytes()),
			"capacity_bytes, where it is not left out (NE-24), is at least required_bytes (CR-03)")
	}
	return response
}

// growsOnNode says that the request should be OK, and which of the optional fields it has.
func growsOnNode(request *csi.NodeExpandVolumeRequest) string {
	text := fmt.Sprintf("a volume that the node has can grow to %d bytes there (NE-01): "+
		"capacity_range (NE-16), staging_target_path (NE-18) and volume_capability (NE-22) are optional, and here are",
		request.GetCapacityRange().GetRequiredBytes())
	for _, field := range []struct {
		name  string
		there bool
	}{
		{"capacity_range", request.GetCapacityRange() != nil},
		{"staging_target_path", request.GetStagingTargetPath() != ""},
		{"volume_capability", request.GetVolumeCapability() != nil},
	} {
		if field.there {
			text += " " + field.name
		}
	}
	return text
}

// notOnNode asks for the growth of a volume that the node has not, at a directory that is there.
func notOnNode(ctx context.Context, node *harness.Node, volume *csi.Volume, bytes int64) *csi.NodeExpandVolumeRequest {
	unpublished := node.NodePublishVolumeRequest(ctx, node.NodeStageVolumeRequest(ctx, volume, nil))
	request := node.NodeExpandVolumeRequest(unpublished, bytes)
	request.VolumePath = path.Dir(unpublished.GetTargetPath())
	return request
}

// publishAtLongPaths publishes the volume at paths of that many bytes.
func publishAtLongPaths(ctx context.Context, under *harness.Driver, node *harness.Node, volume *csi.Volume, bytes int) (*csi.NodePublishVolumeRequest, error) {
	stage := node.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, node))
	stage.StagingTargetPath = node.LongPath(ctx, bytes)
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		if _, err := node.NodeStageVolume(ctx, stage); err != nil {
			return nil, err
		}
	}
	publish := node.NodePublishVolumeRequest(ctx, stage)
	const target = "/target"
	publish.TargetPath = node.LongPath(ctx, bytes-len(target)) + target
	_, err := node.NodePublishVolume(ctx, publish)
	return publish, err
}

// publishedBlock publishes a raw block volume that the controller has grown to the size already.
func publishedBlock(ctx context.Context, under *harness.Driver, node *harness.Node) (published *csi.NodePublishVolumeRequest, bytes int64) {
	volume := under.NeedVolume(ctx, under.VolumeFor(node), under.Block())
	bytes = larger(under, volume)
	under.Grow(ctx, volume, bytes, under.Block())

	var publishContext map[string]string
	if under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		attach := under.ControllerPublishVolumeRequest(volume, node)
		attach.VolumeCapability = under.Block()
		publishContext = harness.Need(under.Controller.ControllerPublishVolume(ctx, attach)).GetPublishContext()
	}
	stage := node.NodeStageVolumeRequest(ctx, volume, publishContext)
	stage.VolumeCapability = under.Block()
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		harness.Need(node.NodeStageVolume(ctx, stage))
	}
	published = node.NodePublishVolumeRequest(ctx, stage)
	harness.Need(node.NodePublishVolume(ctx, published))
	return published, bytes
}
