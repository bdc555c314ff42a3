// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
)

// isRefused reports whether the driver must refuse the call because of the case's earlier calls, with a code that asks for
// no repetition, and under a condition that lasts until another call of the case ends it.
func isRefused(d *Driver, request any) bool {
	switch r := request.(type) {
	case *csi.ControllerPublishVolumeRequest: // to a second node (CP-34)
		return isSingleNode(r.GetVolumeCapability().GetAccessMode().GetMode()) && isPublishedElsewhere(d, r)
	case *csi.DeleteVolumeRequest: // while it is in use (DV-05)
		return isPublished(d, r.GetVolumeId())
	default:
		return false
	}
}

// isAbsent reports whether the call asks the node for a volume that the case has deleted, or has not published there. A
// driver should refuse that, but may wait for a device that could still appear, for as long as its caller does: any call may
// time out.
func isAbsent(d *Driver, node *Node, request any) bool {
	switch r := request.(type) {
	case *csi.NodeStageVolumeRequest:
		return isDeleted(d, r.GetVolumeId()) || isDetached(d, node, r.GetVolumeId())
	case *csi.NodePublishVolumeRequest:
		return isDeleted(d, r.GetVolumeId()) || isDetached(d, node, r.GetVolumeId())
	case *csi.NodeExpandVolumeRequest:
		return !isPublished(d, r.GetVolumeId())
	default:
		return false
	}
}

// isDeleted reports whether the case made the volume, and has deleted it.
func isDeleted(d *Driver, volumeID string) bool {
	return d.Made.Has(volumeID) && !d.Made.Keeps(volumeID)
}

// isDetached reports whether the case has not published the volume to the node, though the driver publishes volumes.
func isDetached(d *Driver, node *Node, volumeID string) bool {
	return node != nil && d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) && !d.ledger.Has(publication(volumeID, node.ID))
}

func isSingleNode(mode csi.VolumeCapability_AccessMode_Mode) bool {
	return strings.HasPrefix(mode.String(), "SINGLE_NODE_")
}

// isPublishedElsewhere reports whether the case has published the volume to another node than the one in the request.
func isPublishedElsewhere(d *Driver, r *csi.ControllerPublishVolumeRequest) bool {
	for _, node := range d.Nodes {
		if node.ID != "" && node.ID != r.GetNodeId() && d.ledger.Has(publication(r.GetVolumeId(), node.ID)) {
			return true
		}
	}
	return false
}

// isPublished reports whether the case has published the volume somewhere, or staged it.
func isPublished(d *Driver, volumeID string) bool {
	volume := "volume " + volumeID
	return slices.ContainsFunc(d.ledger.All(), func(e ledger.Entry) bool {
		return e.Of == volume && (strings.HasPrefix(e.What, volume+" published ") || strings.HasPrefix(e.What, volume+" staged "))
	})
}

// whileRefused returns how long to repeat a call that must be refused, and is answered with a code for which calls are
// repeated. The driver may still be working on earlier calls of the case, and then answer differently: that takes no longer
// than the slowest call did, with a margin. Once such a call was repeated without success, later ones are not repeated.
func whileRefused(d *Driver, method string, err error) time.Duration {
	const part = 20
	lasts := patience(d)
	if d.health.IsRefused(method, err) {
		return lasts / part
	}
	return lasts
}

// patience returns how long a refusal may take.
func patience(d *Driver) time.Duration {
	const factor = 2
	return max(d.Target.Timeouts.Refusal, factor*d.health.Slowest())
}

// idempotency returns the requirement that makes calls of the RPC idempotent. It is empty if there is none.
func idempotency(method string) string {
	return map[string]string{
		"CreateVolume":              "CV-02",
		"DeleteVolume":              "DV-01",
		"ControllerPublishVolume":   "CP-04",
		"ControllerUnpublishVolume": "CU-05",
		"ControllerExpandVolume":    "CE-02",
		"ControllerModifyVolume":    "MV-02",
		"CreateSnapshot":            "CS-03",
		"DeleteSnapshot":            "DS-01",
		"CreateVolumeGroupSnapshot": "VGS-02",
		"DeleteVolumeGroupSnapshot": "VGS-22",
		"NodeStageVolume":           "NS-04",
		"NodeUnstageVolume":         "NS-09",
		"NodePublishVolume":         "NS-13",
		"NodeUnpublishVolume":       "NS-16",
		"NodeExpandVolume":          "NE-02",
	}[path.Base(method)]
}
