// SPDX-License-Identifier: Apache-2.0

package node

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// at is a volume at a path.
type at struct{ volume, path string }

type (
	stageRequest      = csi.NodeStageVolumeRequest
	stageResponse     = csi.NodeStageVolumeResponse
	unstageRequest    = csi.NodeUnstageVolumeRequest
	unstageResponse   = csi.NodeUnstageVolumeResponse
	publishRequest    = csi.NodePublishVolumeRequest
	publishResponse   = csi.NodePublishVolumeResponse
	unpublishRequest  = csi.NodeUnpublishVolumeRequest
	unpublishResponse = csi.NodeUnpublishVolumeResponse
)

// onNode4 makes a driver whose last node reports something different about itself.
func onNode4(change func(*csi.NodeGetInfoResponse)) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		if response.GetNodeId() == "node-4" {
			change(response)
		}
	})
}

// usageOf makes a driver that says something else of what is used of a volume.
func usageOf(change func(*csi.VolumeUsage)) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
		for _, usage := range response.GetUsage() {
			if usage.GetUnit() == csi.VolumeUsage_BYTES {
				change(usage)
			}
		}
	})
}

// once makes a driver that refuses with the code what it has done before, for a volume at a path.
func once[Request interface {
	proto.Message
	GetVolumeId() string
}](code codes.Code, path func(Request) string) mutation.Fault {
	return mutation.Again(func(r Request) string { return r.GetVolumeId() + path(r) }, mutation.RefusingAll[Request](code, "the volume was there before"))
}

// isUnheardOf reports whether the driver knows no such access mode.
func isUnheardOf(c *csi.VolumeCapability) bool {
	_, known := csi.VolumeCapability_AccessMode_Mode_name[int32(c.GetAccessMode().GetMode())]
	return !known
}
