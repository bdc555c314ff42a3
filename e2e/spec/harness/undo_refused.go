// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
)

// perhaps begins the ledger entry of a staging or publication that the driver may not have made: after a refusal, the CO may
// undo the request (lines 2594 and 2727 of the specification), and the driver is only at fault if something is left after
// that.
const perhaps = "perhaps "

// enterRefusedPublication enters the target path of a publication that was refused, so that it is released in the same way
// as by the kubelet: whatever NodeUnpublishVolume answers, the CO may remove an empty directory there.
func enterRefusedPublication(d *Driver, node *Node, r *csi.NodePublishVolumeRequest) {
	what := nodePublication(node, r.GetVolumeId(), r.GetTargetPath())
	if r.GetVolumeId() == "" || r.GetTargetPath() == "" || d.ledger.Has(what) {
		return
	}
	d.ledger.Add(ledger.Entry{What: perhaps + what, Undo: func(ctx context.Context) error {
		// The answer does not matter: removing the directories shows what is left.
		_, _ = node.NodeUnpublishVolume(attempt.Once(ctx), &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()})
		d.ledger.Unpublish(r.GetTargetPath())
		return nil
	}})
}

// enterPossibleStaging enters a staging path that NodeStageVolume refused, or at which NodePublishVolume may have
// staged the volume itself.
func enterPossibleStaging(d *Driver, node *Node, volumeID, path string) {
	what := staging(node, volumeID, path)
	if volumeID == "" || path == "" || d.ledger.Has(what) {
		return
	}
	d.ledger.Add(ledger.Entry{What: perhaps + what, Undo: func(ctx context.Context) error {
		_, _ = node.NodeUnstageVolume(attempt.Once(ctx), &csi.NodeUnstageVolumeRequest{VolumeId: volumeID, StagingTargetPath: path})
		return nil
	}})
}
