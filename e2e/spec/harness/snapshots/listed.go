// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Read returns the snapshots of all pages of ListSnapshots for the request, for a case that is not about the list.
func Read(ctx context.Context, d *harness.Driver, request *csi.ListSnapshotsRequest) ([]*csi.Snapshot, error) {
	list := "ListSnapshots"
	switch {
	case request.GetMaxEntries() > 0:
		list += " with max_entries"
	case request.GetSnapshotId() != "":
		list += " with snapshot_id"
	case request.GetSourceVolumeId() != "":
		list += " with source_volume_id"
	}
	var found []*csi.Snapshot
	err := d.Pages.Each(ctx, list, func(ctx context.Context, token string) (next string, err error) {
		response, err := d.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{
			StartingToken: token, MaxEntries: request.GetMaxEntries(), SnapshotId: request.GetSnapshotId(), SourceVolumeId: request.GetSourceVolumeId(), Secrets: d.Profile().Secrets.ListSnapshots,
		})
		for _, entry := range response.GetEntries() {
			found = append(found, entry.GetSnapshot())
		}
		return response.GetNextToken(), err
	})
	return found, err
}

func needRead(ctx context.Context, d *harness.Driver, request *csi.ListSnapshotsRequest) []*csi.Snapshot {
	found, err := Read(ctx, d, request)
	harness.MustBeListed(d, err)
	return found
}

// Listed returns the snapshot's entry in an unfiltered ListSnapshots; nil if there is none. It skips the case if the list
// cannot be used.
func Listed(ctx context.Context, d *harness.Driver, snapshotID string) *csi.Snapshot {
	for _, snapshot := range needRead(ctx, d, &csi.ListSnapshotsRequest{}) {
		if snapshot.GetSnapshotId() == snapshotID {
			return snapshot
		}
	}
	return nil
}

// IsListedByID reports whether ListSnapshots returns anything for the snapshot_id.
func IsListedByID(ctx context.Context, d *harness.Driver, snapshotID string) bool {
	return len(needRead(ctx, d, &csi.ListSnapshotsRequest{SnapshotId: snapshotID})) > 0
}

// Of returns the snapshots of the volume according to ListSnapshots.
func Of(ctx context.Context, d *harness.Driver, volumeID string) []*csi.Snapshot {
	listed := needRead(ctx, d, &csi.ListSnapshotsRequest{SourceVolumeId: volumeID})
	return slices.DeleteFunc(listed, func(s *csi.Snapshot) bool { return s.GetSourceVolumeId() != volumeID })
}
