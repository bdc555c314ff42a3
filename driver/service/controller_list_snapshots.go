// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// listSnapshots returns all snapshots, the snapshots of one volume, or one snapshot; the list is empty if none matches.
// It pages as listVolumes does, and returns ABORTED for a token that this driver did not return.
func (c *controller) listSnapshots(_ context.Context, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	after, err := checkPage(r.GetMaxEntries(), r.GetStartingToken())
	if err != nil {
		return nil, err
	}
	page, more, err := c.pageOfSnapshots(r, after)
	if err != nil {
		return nil, failure(err)
	}
	response := &csi.ListSnapshotsResponse{}
	for _, s := range page {
		response.Entries = append(response.Entries, &csi.ListSnapshotsResponse_Entry{Snapshot: answerSnapshot(s)})
	}
	if more {
		response.NextToken = page[len(page)-1].ID
	}
	return response, nil
}

// pageOfSnapshots reads no more records than necessary: for one snapshot, which the sidecar requests repeatedly, only its
// own.
func (c *controller) pageOfSnapshots(r *csi.ListSnapshotsRequest, after string) (page []record.Snapshot, more bool, err error) {
	source, limit := r.GetSourceVolumeId(), int(r.GetMaxEntries())
	if id := r.GetSnapshotId(); id != "" {
		s, err := c.findSnapshot(id)
		switch {
		case status.Code(err) == codes.NotFound || (err == nil && source != "" && s.VolumeID != source) || id <= after:
			return nil, false, nil
		case err != nil:
			return nil, false, err
		}
		return []record.Snapshot{s}, false, nil
	}
	if source != "" {
		return c.store.SnapshotsOf(source, after, limit, acknowledgedSnapshot)
	}
	return c.store.SnapshotPage(after, limit, acknowledgedSnapshot)
}

// checkPage returns INVALID_ARGUMENT for a page of a negative length, and ABORTED for a token that no list returned. A
// token is the id of the last entry of the previous page, so that it stays valid and no entry is skipped, whatever is
// created or deleted meanwhile.
func checkPage(maxEntries int32, startingToken string) (after string, err error) {
	if maxEntries < 0 {
		return "", status.Errorf(codes.InvalidArgument, "max_entries must not be negative, got %d", maxEntries)
	}
	if _, ours := volume.KindOf(startingToken); startingToken != "" && !ours {
		return "", status.Errorf(codes.Aborted, "starting_token %.140q is not one that this call returned: start again without one", startingToken)
	}
	return startingToken, nil
}
