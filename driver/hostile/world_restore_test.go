// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// restore undoes one successful call, and leaves the world as after setUp.
func (w *world) restore(ctx context.Context, r rpc, response proto.Message) error {
	var undo proto.Message
	var name string
	switch answer := response.(type) {
	case *csi.CreateVolumeResponse:
		name, undo = "DeleteVolume", &csi.DeleteVolumeRequest{VolumeId: answer.GetVolume().GetVolumeId()}
	case *csi.CreateSnapshotResponse:
		name, undo = "DeleteSnapshot", &csi.DeleteSnapshotRequest{SnapshotId: answer.GetSnapshot().GetSnapshotId()}
	case *csi.CreateVolumeGroupSnapshotResponse:
		group := answer.GetGroupSnapshot()
		return w.deleteGroup(ctx, group.GetGroupSnapshotId(), group.GetSnapshots()[0].GetSnapshotId())
	case *csi.ControllerPublishVolumeResponse:
		name, undo = "ControllerUnpublishVolume", &csi.ControllerUnpublishVolumeRequest{VolumeId: w.idle}
	case *csi.NodeStageVolumeResponse:
		name, undo = "NodeUnstageVolume", &csi.NodeUnstageVolumeRequest{VolumeId: w.idle, StagingTargetPath: w.idleStaging()}
	case *csi.NodePublishVolumeResponse:
		name, undo = "NodeUnpublishVolume", &csi.NodeUnpublishVolumeRequest{VolumeId: w.published, TargetPath: w.publishedTarget()}
	default:
		if reads(r) {
			return nil
		}
		return w.setUp(ctx)
	}
	_, err := w.send(ctx, name, undo)
	return err
}

// reads reports whether the RPC changes nothing, or nothing more when repeated.
func reads(r rpc) bool {
	for _, word := range []string{"Get", "List", "Validate", "Probe", "Expand", "Modify"} {
		if strings.Contains(r.name, word) {
			return true
		}
	}
	return false
}

// deleteGroup deletes a group snapshot that has one snapshot.
func (w *world) deleteGroup(ctx context.Context, id, member string) error {
	_, err := w.send(ctx, "DeleteVolumeGroupSnapshot", &csi.DeleteVolumeGroupSnapshotRequest{GroupSnapshotId: id, SnapshotIds: []string{member}})
	return err
}

// withdraw unpublishes and unstages volumes that valid requests may have published or staged.
func (w *world) withdraw(ctx context.Context) error {
	_, unpublished := w.send(ctx, "NodeUnpublishVolume", &csi.NodeUnpublishVolumeRequest{VolumeId: w.published, TargetPath: w.publishedTarget()})
	_, withdrawn := w.send(ctx, "ControllerUnpublishVolume", &csi.ControllerUnpublishVolumeRequest{VolumeId: w.idle})
	return errors.Join(unpublished, w.unstageIdle(ctx), withdrawn)
}

// clear deletes volumes, snapshots and groups that valid requests may have added.
func (w *world) clear(ctx context.Context) error {
	snapshots, err := send[*csi.ListSnapshotsResponse](ctx, w.call, "ListSnapshots", &csi.ListSnapshotsRequest{})
	if err != nil {
		return err
	}
	for _, entry := range snapshots.GetEntries() {
		id := entry.GetSnapshot().GetSnapshotId()
		switch group := entry.GetSnapshot().GetGroupSnapshotId(); {
		case group != "" && group != w.group:
			if err := w.deleteGroup(ctx, group, id); err != nil {
				return err
			}
		case group == "" && id != w.snapshot:
			if _, err := w.send(ctx, "DeleteSnapshot", &csi.DeleteSnapshotRequest{SnapshotId: id}); err != nil {
				return err
			}
		}
	}
	volumes, err := send[*csi.ListVolumesResponse](ctx, w.call, "ListVolumes", &csi.ListVolumesRequest{})
	if err != nil {
		return err
	}
	for _, entry := range volumes.GetEntries() {
		if id := entry.GetVolume().GetVolumeId(); !slices.Contains([]string{w.idle, w.published, w.mounted}, id) {
			if _, err := w.send(ctx, "DeleteVolume", &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
				return err
			}
		}
	}
	return nil
}
