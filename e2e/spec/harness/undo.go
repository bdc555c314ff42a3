// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

func (l *ledger) volume(id string, from *csi.VolumeContentSource) {
	d := l.driver
	l.add(entry{what: "volume " + id, kind: "volume", of: entryOf(from), undo: func(ctx context.Context) error {
		_, err := d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id, Secrets: d.Profile().Secrets.DeleteVolume})
		return err
	}})
}

// entryOf names the entry of a volume's source; empty without one.
func entryOf(from *csi.VolumeContentSource) string {
	switch {
	case from.GetVolume() != nil:
		return "volume " + from.GetVolume().GetVolumeId()
	case from.GetSnapshot() != nil:
		return "snapshot " + from.GetSnapshot().GetSnapshotId()
	default:
		return ""
	}
}

func (l *ledger) snapshot(id, volumeID string) {
	d := l.driver
	l.add(entry{what: "snapshot " + id, kind: "snapshot", of: "volume " + volumeID, undo: func(ctx context.Context) error {
		_, err := d.Controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id, Secrets: d.Profile().Secrets.DeleteSnapshot})
		return err
	}})
}

// has reports whether that is in the ledger.
func (l *ledger) has(what string) bool {
	return slices.ContainsFunc(l.all(), func(e entry) bool { return e.what == what })
}

func publication(volumeID, nodeID string) string {
	return fmt.Sprintf("volume %s published to node %s", volumeID, nodeID)
}

// published enters a publication. It is ended after the case even where the case has ended all publications at once
// (CU-11): a driver might only say that it did.
func (l *ledger) published(r *csi.ControllerPublishVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetNodeId() == "" {
		return // a driver that says it has published this cannot be told to take it back
	}
	d := l.driver
	l.add(entry{what: publication(r.GetVolumeId(), r.GetNodeId()), of: "volume " + r.GetVolumeId(), undo: func(ctx context.Context) error {
		_, err := d.Controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{
			VolumeId: r.GetVolumeId(), NodeId: r.GetNodeId(), Secrets: d.Profile().Secrets.ControllerUnpublishVolume,
		})
		return unlessGone(err)
	}})
}

// unlessGone drops the NOT_FOUND with which a volume that is gone is taken from a node: there is nothing left to take.
func unlessGone(err error) error {
	if status.Code(err) == codes.NotFound {
		return nil
	}
	return err
}

func staging(node *Node, volumeID, path string) string {
	return fmt.Sprintf("volume %s staged by %s at %s", volumeID, node, path)
}

func (l *ledger) staged(node *Node, r *csi.NodeStageVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetStagingTargetPath() == "" {
		return // a driver that says it has staged this cannot be told to take it back
	}
	l.add(entry{what: staging(node, r.GetVolumeId(), r.GetStagingTargetPath()), of: "volume " + r.GetVolumeId(), undo: func(ctx context.Context) error {
		_, err := node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath()})
		return unlessGone(err)
	}})
}

func nodePublication(node *Node, volumeID, path string) string {
	return fmt.Sprintf("volume %s published by %s at %s", volumeID, node, path)
}

func (l *ledger) nodePublished(node *Node, r *csi.NodePublishVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetTargetPath() == "" {
		return // as for what is staged
	}
	l.add(entry{what: nodePublication(node, r.GetVolumeId(), r.GetTargetPath()), of: "volume " + r.GetVolumeId(), undo: func(ctx context.Context) error {
		_, err := node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()})
		return unlessGone(err)
	}})
}

// removeNamed deletes the volume that a call without a clear answer may have made. The call is repeated, which has its
// volume_id (CV-09).
func (d *Driver) removeNamed(ctx context.Context, r *csi.CreateVolumeRequest) error {
	made, err := d.Controller.CreateVolume(ctx, proto.CloneOf(r))
	if err != nil {
		return unlessNothing(ctx, err, d.listVolumes, d.before.volumes, "volume ", d.ledger)
	}
	_, err = d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: made.GetVolume().GetVolumeId(), Secrets: d.Profile().Secrets.DeleteVolume})
	return err
}

func (d *Driver) removeSnapshotNamed(ctx context.Context, r *csi.CreateSnapshotRequest) error {
	made, err := d.Controller.CreateSnapshot(ctx, proto.CloneOf(r))
	if err != nil {
		return unlessNothing(ctx, err, d.listSnapshots, d.before.snapshots, "snapshot ", d.ledger)
	}
	_, err = d.Controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: made.GetSnapshot().GetSnapshotId(), Secrets: d.Profile().Secrets.DeleteSnapshot})
	return err
}

// unlessNothing drops the error of a repeated creation where nothing is left of it: the driver refuses it again, by a code
// that does not ask for a repetition, or it lists nothing but what it listed before the case and what the case knows.
func unlessNothing(ctx context.Context, err error, list func(context.Context) (map[string]bool, error), before map[string]bool, kind string, l *ledger) error {
	if code := status.Code(err); !unanswered(err) && code != codes.Aborted && code != codes.AlreadyExists {
		return nil
	}
	open := fmt.Errorf("whether it was created could not be found out: %s", Describe(err))
	if before == nil {
		return open
	}
	now, listErr := list(ctx)
	if listErr != nil {
		return open
	}
	for id := range now {
		if !before[id] && !l.has(kind+id) {
			return open
		}
	}
	return nil
}
