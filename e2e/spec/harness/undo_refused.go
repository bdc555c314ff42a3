// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
)

// perhaps is how the entry of something begins that the driver need not have made: after a refusal, the CO may undo what it
// asked for (lines 2594 and 2727 of the specification), and only what is left then is the driver's fault.
const perhaps = "perhaps "

// enterRefusedPublication has the target path of a publication that was refused given back as the kubelet does: whatever
// NodeUnpublishVolume answers, an empty directory there is the CO's to remove.
func enterRefusedPublication(d *Driver, node *Node, r *csi.NodePublishVolumeRequest) {
	what := nodePublication(node, r.GetVolumeId(), r.GetTargetPath())
	if r.GetVolumeId() == "" || r.GetTargetPath() == "" || d.ledger.Has(what) {
		return
	}
	d.ledger.Add(ledger.Entry{What: perhaps + what, Undo: func(ctx context.Context) error {
		// Whatever it answers: what it leaves shows when the directories are removed.
		_, _ = node.NodeUnpublishVolume(attempt.Once(ctx), &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()})
		d.ledger.Unpublish(r.GetTargetPath())
		return nil
	}})
}

// enterPossibleStaging has a staging path given back that NodeStageVolume refused, or where NodePublishVolume may have
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
