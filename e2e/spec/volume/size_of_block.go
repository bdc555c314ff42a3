package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A file system takes a part of its volume for itself. A raw block device has all of the size that was asked for, which
// the node that has it can tell.
func sizeOfBlock(s *harness.Suite) {
	labels := verdict.Case("size_of_block", "CV-06", "CR-03", "CR-05")
	needs := harness.Needs{Volumes: 2, Block: true, Nodes: 1, Node: []csi.NodeServiceCapability_RPC_Type{csi.NodeServiceCapability_RPC_GET_VOLUME_STATS}}
	s.Case("gives a block device the size that was asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := under.CreateVolumeRequest(under.VolumeFor(node))
		request.VolumeCapabilities = []*csi.VolumeCapability{under.Block()}
		request.CapacityRange = &csi.CapacityRange{RequiredBytes: under.Size(), LimitBytes: 2 * under.Size()}
		volume := made(ctx, under, request)
		fits("capacity_bytes", volume.GetCapacityBytes(), request.GetCapacityRange())

		published := publishBlock(ctx, under, node, volume)
		stats := harness.Need(node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{
			VolumeId: volume.GetVolumeId(), VolumePath: published.GetTargetPath(), StagingTargetPath: published.GetStagingTargetPath(),
		}))
		for _, usage := range stats.GetUsage() {
			if usage.GetUnit() == csi.VolumeUsage_BYTES {
				fits("what the node has of a block device (CV-06)", usage.GetTotal(), request.GetCapacityRange())
			}
		}
	})
}

// publishBlock attaches, stages and publishes the volume as a raw block device.
func publishBlock(ctx context.Context, under *harness.Driver, node *harness.Node, volume *csi.Volume) *csi.NodePublishVolumeRequest {
	attach := under.ControllerPublishVolumeRequest(volume, node)
	attach.VolumeCapability = under.Block()
	var publishContext map[string]string
	if under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		publishContext = harness.Need(under.Controller.ControllerPublishVolume(ctx, attach)).GetPublishContext()
	}
	stage := node.NodeStageVolumeRequest(ctx, volume, publishContext)
	stage.VolumeCapability = under.Block()
	if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		harness.Need(node.NodeStageVolume(ctx, stage))
	}
	publish := node.NodePublishVolumeRequest(ctx, stage)
	harness.Need(node.NodePublishVolume(ctx, publish))
	return publish
}
