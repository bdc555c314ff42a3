// SPDX-License-Identifier: Apache-2.0

// Package groups makes group snapshots that cases depend on, and the calls for them.
package groups

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CreateRequest returns the call that takes a group snapshot of the volumes, under a new name, with everything that the
// profile adds to such a call.
func CreateRequest(d *harness.Driver, volumes ...*csi.Volume) *csi.CreateVolumeGroupSnapshotRequest {
	request := &csi.CreateVolumeGroupSnapshotRequest{
		Name:       d.Name(),
		Parameters: d.Profile().GroupSnapshotParameters,
		Secrets:    d.Profile().Secrets.GroupSnapshot,
	}
	for _, volume := range volumes {
		request.SourceVolumeIds = append(request.SourceVolumeIds, volume.GetVolumeId())
	}
	return request
}

// DeleteRequest returns the call that deletes a group snapshot with all of its snapshots.
func DeleteRequest(d *harness.Driver, group *csi.VolumeGroupSnapshot) *csi.DeleteVolumeGroupSnapshotRequest {
	return &csi.DeleteVolumeGroupSnapshotRequest{
		GroupSnapshotId: group.GetGroupSnapshotId(), SnapshotIds: IDs(group), Secrets: d.Profile().Secrets.GroupSnapshot,
	}
}

// GetRequest returns the call that gets a group snapshot.
func GetRequest(d *harness.Driver, group *csi.VolumeGroupSnapshot) *csi.GetVolumeGroupSnapshotRequest {
	return &csi.GetVolumeGroupSnapshotRequest{
		GroupSnapshotId: group.GetGroupSnapshotId(), SnapshotIds: IDs(group), Secrets: d.Profile().Secrets.GroupSnapshot,
	}
}

// IDs returns the snapshot_ids of the group, in the order of the answer.
func IDs(group *csi.VolumeGroupSnapshot) []string {
	ids := make([]string, 0, len(group.GetSnapshots()))
	for _, member := range group.GetSnapshots() {
		ids = append(ids, member.GetSnapshotId())
	}
	return ids
}

// Sources returns the source_volume_ids of the snapshots of the group, sorted.
func Sources(group *csi.VolumeGroupSnapshot) []string {
	var sources []string
	for _, member := range group.GetSnapshots() {
		sources = append(sources, member.GetSourceVolumeId())
	}
	slices.Sort(sources)
	return sources
}

// Need takes a group snapshot that the case depends on and does not judge, and waits until it is ready to use.
func Need(ctx context.Context, d *harness.Driver, volumes ...*csi.Volume) *csi.VolumeGroupSnapshot {
	return NeedReady(ctx, d, CreateRequest(d, volumes...))
}

// NeedReady repeats the call until the group snapshot is ready to use, as a CO does. The case depends on it. It is
// skipped if the volumes cannot be in one group.
func NeedReady(ctx context.Context, d *harness.Driver, request *csi.CreateVolumeGroupSnapshotRequest) *csi.VolumeGroupSnapshot {
	limit := d.Target.Timeouts.SnapshotReady
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for delays := attempt.Backoff(limit); ; {
		response, err := d.Groups.CreateVolumeGroupSnapshot(ctx, request)
		SkipUngrouped(err)
		group := harness.NeedOK(response, err).GetGroupSnapshot()
		if group.GetGroupSnapshotId() == "" || len(group.GetSnapshots()) != len(request.GetSourceVolumeIds()) {
			suite.CouldNotTell("CreateVolumeGroupSnapshot of %d volumes answered group_snapshot_id %q with %d snapshots: see group_snapshot_volumes",
				len(request.GetSourceVolumeIds()), group.GetGroupSnapshotId(), len(group.GetSnapshots()))
		}
		if group.GetReadyToUse() {
			return group
		}
		if attempt.Pause(bounded, delays.Step()) != nil {
			suite.CouldNotTell("group snapshot %s was not ready to use within %s, the limit that the profile's timeouts give as snapshotReady", group.GetGroupSnapshotId(), limit)
		}
	}
}

// SkipUngrouped skips the case if CreateVolumeGroupSnapshot answers that these volumes cannot be snapshotted together
// (VGS-19), or that there is no space (CS-21): no call reports how much a group snapshot takes.
func SkipUngrouped(err error) {
	switch status.Code(err) {
	case codes.FailedPrecondition:
		suite.Skip(suite.ByCapability, "the driver does not take one group snapshot of these volumes: %s", describe.Status(err))
	case codes.ResourceExhausted:
		suite.Skip(suite.ByEnvironment, "there is no space for the group snapshot: %s", describe.Status(err))
	}
}
