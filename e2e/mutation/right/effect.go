// SPDX-License-Identifier: Apache-2.0

package right

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// effect is the effect of a call on the driver's state.
type effect struct {
	// of is the name of the created thing, or the prefix of the names of removed things.
	of string
	// removes says that the call removes it; otherwise the call creates it.
	removes bool
}

// effectOf returns the effect of a call that was answered with the response; ok is false for a call that only reads.
func effectOf(request, response proto.Message) (e effect, ok bool) {
	makes := func(format string, values ...any) (effect, bool) {
		return effect{of: fmt.Sprintf(format+" ", values...)}, true
	}
	removes := func(format string, values ...any) (effect, bool) {
		return effect{of: fmt.Sprintf(format+" ", values...), removes: true}, true
	}
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return makes("volume %s", response.(*csi.CreateVolumeResponse).GetVolume().GetVolumeId())
	case *csi.DeleteVolumeRequest:
		return removes("volume %s", r.GetVolumeId())
	case *csi.CreateSnapshotRequest:
		return makes("snapshot %s", response.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId())
	case *csi.DeleteSnapshotRequest:
		return removes("snapshot %s", r.GetSnapshotId())
	case *csi.ControllerExpandVolumeRequest:
		return makes("growth of %s to %d", r.GetVolumeId(), response.(*csi.ControllerExpandVolumeResponse).GetCapacityBytes())
	case *csi.ControllerModifyVolumeRequest:
		return makes("change of %s to %v", r.GetVolumeId(), r.GetMutableParameters())
	case *csi.ControllerPublishVolumeRequest:
		return makes("attachment of %s to %s", r.GetVolumeId(), r.GetNodeId())
	case *csi.ControllerUnpublishVolumeRequest:
		if r.GetNodeId() == "" { // it is detached from all nodes
			return removes("attachment of %s to", r.GetVolumeId())
		}
		return removes("attachment of %s to %s", r.GetVolumeId(), r.GetNodeId())
	case *csi.NodeStageVolumeRequest:
		return makes("staging of %s at %s", r.GetVolumeId(), r.GetStagingTargetPath())
	case *csi.NodeUnstageVolumeRequest:
		return removes("staging of %s at %s", r.GetVolumeId(), r.GetStagingTargetPath())
	case *csi.NodePublishVolumeRequest:
		return makes("publication of %s at %s", r.GetVolumeId(), r.GetTargetPath())
	case *csi.NodeUnpublishVolumeRequest:
		return removes("publication of %s at %s", r.GetVolumeId(), r.GetTargetPath())
	case *csi.NodeExpandVolumeRequest:
		return makes("growth of %s at %s to %d", r.GetVolumeId(), r.GetVolumePath(), response.(*csi.NodeExpandVolumeResponse).GetCapacityBytes())
	default:
		return effect{}, false
	}
}

// asksOnly reports whether a call with the request changes nothing.
func asksOnly(request proto.Message) bool {
	switch request.(type) {
	case *csi.CreateVolumeRequest, *csi.CreateSnapshotRequest, *csi.ControllerExpandVolumeRequest, *csi.NodeExpandVolumeRequest:
		return false // effectOf reads their responses
	default:
		_, does := effectOf(request, nil)
		return !does
	}
}
