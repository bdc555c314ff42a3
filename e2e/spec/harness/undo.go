// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

func enterVolume(d *Driver, id string, from *csi.VolumeContentSource) {
	d.ledger.Add(ledger.Entry{What: "volume " + id, Kind: "volume", By: "DeleteVolume", Of: entryOf(from), Undo: func(ctx context.Context) error {
		return deleteVolume(ctx, d, id)
	}})
}

// deleteVolume deletes a volume of the case. A volume that has turned out to belong to someone else is kept, and named at
// the end of the run.
func deleteVolume(ctx context.Context, d *Driver, id string) error {
	if id == "" || d.health.Own.Why(own.Volume, id) != "" {
		return nil
	}
	if gone, err := d.recalled.mustBeNamed(ctx, own.Volume, id); gone || err != nil {
		return err
	}
	request := &csi.DeleteVolumeRequest{VolumeId: id, Secrets: d.Profile().Secrets.DeleteVolume}
	late := d.ledger.Late("volume " + id)
	if len(late) == 0 {
		_, err := d.Controller.DeleteVolume(ctx, request)
		return err
	}
	endAgain(ctx, late)
	_, err := d.Controller.DeleteVolume(attempt.Once(ctx, codes.FailedPrecondition), request)
	if status.Code(err) == codes.FailedPrecondition {
		endAgain(ctx, late)
		_, err = d.Controller.DeleteVolume(ctx, request)
	}
	return err
}

// endAgain ends publications that may have taken effect after they were ended.
func endAgain(ctx context.Context, late []ledger.Entry) {
	for _, publication := range late {
		_ = publication.Undo(ctx) // if it fails, the deletion does
	}
}

// deleteSnapshot is like deleteVolume, for a snapshot.
func deleteSnapshot(ctx context.Context, d *Driver, id string) error {
	if id == "" || d.health.Own.Why(own.Snapshot, id) != "" {
		return nil
	}
	if gone, err := d.recalled.mustBeNamed(ctx, own.Snapshot, id); gone || err != nil {
		return err
	}
	_, err := d.Controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id, Secrets: d.Profile().Secrets.DeleteSnapshot})
	return err
}

// entryOf names the ledger entry of a volume's source. It is empty without one.
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

func enterSnapshot(d *Driver, id, volumeID string) {
	d.ledger.Add(ledger.Entry{What: "snapshot " + id, Kind: "snapshot", By: "DeleteSnapshot", Of: "volume " + volumeID, Undo: func(ctx context.Context) error {
		return deleteSnapshot(ctx, d, id)
	}})
}

func publication(volumeID, nodeID string) string {
	return fmt.Sprintf("volume %s published to node %s", volumeID, nodeID)
}

// enterPublication enters a publication. It is ended after the case even if the case has ended all publications at once
// (CU-11): the driver's OK need not be true.
func enterPublication(d *Driver, r *csi.ControllerPublishVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetNodeId() == "" {
		return // there is no valid request that undoes such a publication
	}
	d.ledger.Add(entryOfPublication(d, r))
}

func entryOfPublication(d *Driver, r *csi.ControllerPublishVolumeRequest) ledger.Entry {
	return ledger.Entry{What: publication(r.GetVolumeId(), r.GetNodeId()), By: "ControllerUnpublishVolume", Of: "volume " + r.GetVolumeId(), Undo: func(ctx context.Context) error {
		_, err := d.Controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{
			VolumeId: r.GetVolumeId(), NodeId: r.GetNodeId(), Secrets: d.Profile().Secrets.ControllerUnpublishVolume,
		})
		return unlessGone(d, r.GetVolumeId(), err)
	}}
}

// unlessGone drops the error if a node refuses to release a volume with NOT_FOUND, or a volume that the run has deleted.
// There is nothing left to release, and the cases about that judge the answer.
func unlessGone(d *Driver, volumeID string, err error) error {
	if status.Code(err) == codes.NotFound || !d.health.Own.Uses(own.Volume, volumeID) {
		return nil
	}
	return err
}

// mootError explains why a node did not release a volume that is gone. It may do so when it is asked again. If it does not,
// removing the directories shows what is left.
type mootError struct{ error }

func (e mootError) Unwrap() error { return e.error }

func isMoot(err error) bool {
	var moot mootError
	return errors.As(err, &moot)
}

// unlessUndone is like unlessGone, for the volume at the node's path.
func unlessUndone(d *Driver, volumeID, path string, err error) error {
	switch {
	case err == nil || status.Code(err) == codes.NotFound:
		return nil
	case d.health.Own.Uses(own.Volume, volumeID):
		return err
	default:
		d.ledger.Unpublish(path)
		return mootError{err}
	}
}

func staging(node *Node, volumeID, path string) string {
	return fmt.Sprintf("volume %s staged by %s at %s", volumeID, node, path)
}

func enterStaging(d *Driver, node *Node, r *csi.NodeStageVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetStagingTargetPath() == "" {
		return // there is no valid request that undoes such a staging
	}
	d.ledger.Add(ledger.Entry{What: staging(node, r.GetVolumeId(), r.GetStagingTargetPath()), By: "NodeUnstageVolume", Of: "volume " + r.GetVolumeId(), Undo: func(ctx context.Context) error {
		_, err := node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath()})
		return unlessUndone(d, r.GetVolumeId(), r.GetStagingTargetPath(), err)
	}})
}

func nodePublication(node *Node, volumeID, path string) string {
	return fmt.Sprintf("volume %s published by %s at %s", volumeID, node, path)
}

func enterNodePublication(d *Driver, node *Node, r *csi.NodePublishVolumeRequest) {
	if r.GetVolumeId() == "" || r.GetTargetPath() == "" {
		return // as for a staging
	}
	d.ledger.Add(ledger.Entry{What: nodePublication(node, r.GetVolumeId(), r.GetTargetPath()), By: "NodeUnpublishVolume", Of: "volume " + r.GetVolumeId(), Undo: func(ctx context.Context) error {
		_, err := node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()})
		return unlessUndone(d, r.GetVolumeId(), r.GetTargetPath(), err)
	}})
}

// removeNamed deletes the volume that a call without a clear answer may have made. It repeats the call, which returns
// the volume_id (CV-09).
func removeNamed(ctx context.Context, d *Driver, r *csi.CreateVolumeRequest) error {
	made, err := d.Controller.CreateVolume(ctx, proto.CloneOf(r))
	if err != nil {
		return unlessNothing(ctx, err, d.Held.ListVolumes, d.before.Volumes, func(id string) bool { return d.ledger.Has("volume " + id) })
	}
	return deleteVolume(ctx, d, made.GetVolume().GetVolumeId())
}

func removeSnapshotNamed(ctx context.Context, d *Driver, r *csi.CreateSnapshotRequest) error {
	made, err := d.Controller.CreateSnapshot(ctx, proto.CloneOf(r))
	if err != nil {
		return unlessNothing(ctx, err, d.Held.ListSnapshots, d.before.Snapshots, d.knowsSnapshot)
	}
	return deleteSnapshot(ctx, d, made.GetSnapshot().GetSnapshotId())
}

// unlessNothing drops the error of a repeated creation if nothing is left of it: the driver refuses it with a code that does
// not ask for a repetition, or lists only objects that it listed before the case or that the case knows.
func unlessNothing(ctx context.Context, err error, list func(context.Context) (map[string]bool, error), before map[string]bool, known func(id string) bool) error {
	if code := status.Code(err); !statuses.Unanswered(err) && code != codes.Aborted && code != codes.AlreadyExists {
		return nil
	}
	open := fmt.Errorf("cannot find out whether it was created: %s", describe.Status(err))
	if before == nil {
		return open
	}
	now, listErr := list(ctx)
	if listErr != nil {
		return open
	}
	for id := range now {
		if !before[id] && !known(id) {
			return open
		}
	}
	return nil
}
