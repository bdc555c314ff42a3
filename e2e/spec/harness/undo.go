package harness

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

func (l *ledger) volume(id string) {
	d := l.driver
	l.enter("volume "+id, func(ctx context.Context) error {
		_, err := d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id, Secrets: d.Profile().Secrets.DeleteVolume})
		return err
	})
}

func (l *ledger) snapshot(id string) {
	d := l.driver
	l.enter("snapshot "+id, func(ctx context.Context) error {
		_, err := d.Controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id, Secrets: d.Profile().Secrets.DeleteSnapshot})
		return err
	})
}

func publication(volumeID, nodeID string) string {
	return fmt.Sprintf("volume %s published to node %s", volumeID, nodeID)
}

// published enters a publication. It is ended after the case even where the case has ended all publications at once
// (CU-11): a driver might only say that it did.
func (l *ledger) published(r *csi.ControllerPublishVolumeRequest) {
	d := l.driver
	l.enter(publication(r.GetVolumeId(), r.GetNodeId()), func(ctx context.Context) error {
		_, err := d.Controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{
			VolumeId: r.GetVolumeId(), NodeId: r.GetNodeId(), Secrets: d.Profile().Secrets.ControllerUnpublishVolume,
		})
		return unlessGone(err)
	})
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
	l.enter(staging(node, r.GetVolumeId(), r.GetStagingTargetPath()), func(ctx context.Context) error {
		_, err := node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath()})
		return unlessGone(err)
	})
}

func nodePublication(node *Node, volumeID, path string) string {
	return fmt.Sprintf("volume %s published by %s at %s", volumeID, node, path)
}

func (l *ledger) nodePublished(node *Node, r *csi.NodePublishVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetTargetPath() == "" {
		return // as for what is staged
	}
	l.enter(nodePublication(node, r.GetVolumeId(), r.GetTargetPath()), func(ctx context.Context) error {
		_, err := node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()})
		return unlessGone(err)
	})
}

// removeNamed finds out the volume that a call without a clear answer may have made, and deletes it: a repetition of the
// call has its volume_id (CV-09).
func (d *Driver) removeNamed(ctx context.Context, r *csi.CreateVolumeRequest) error {
	made, err := d.Controller.CreateVolume(ctx, proto.CloneOf(r))
	if err != nil {
		return madeNothing(err)
	}
	_, err = d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: made.GetVolume().GetVolumeId(), Secrets: d.Profile().Secrets.DeleteVolume})
	return err
}

func (d *Driver) removeSnapshotNamed(ctx context.Context, r *csi.CreateSnapshotRequest) error {
	made, err := d.Controller.CreateSnapshot(ctx, proto.CloneOf(r))
	if err != nil {
		return madeNothing(err)
	}
	_, err = d.Controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: made.GetSnapshot().GetSnapshotId(), Secrets: d.Profile().Secrets.DeleteSnapshot})
	return err
}

// madeNothing drops an error by which the driver says that it made nothing of that name.
func madeNothing(err error) error {
	if code := status.Code(err); leavesOpen(code) || code == codes.AlreadyExists {
		return fmt.Errorf("whether it was made could not be found out: %w", err)
	}
	return nil
}
