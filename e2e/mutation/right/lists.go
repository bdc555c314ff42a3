// SPDX-License-Identifier: Apache-2.0

package right

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// after is the prefix of the tokens of pages, followed by the id of the last entry of the previous page.
const after = "after "

// page returns the part of all entries that a call for a list requests.
func page[Entry any](all []Entry, id func(Entry) string, token string, most int32) (entries []Entry, next string, err error) {
	last, known := strings.CutPrefix(token, after)
	if token != "" && !known {
		return nil, "", status.Errorf(codes.Aborted, "starting_token %q is none that a list ended with: begin again without", token)
	}
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(id(a), id(b)) })
	all = slices.DeleteFunc(all, func(e Entry) bool { return id(e) <= last })
	if most == 0 || len(all) <= int(most) {
		return all, "", nil
	}
	return all[:most], after + id(all[most-1]), nil
}

// allVolumes returns the entries of all pages, or the error if the request is refused.
func allVolumes(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) ([]*csi.ListVolumesResponse_Entry, error) {
	response, err := right.ListVolumes(ctx, &csi.ListVolumesRequest{MaxEntries: r.GetMaxEntries()})
	if err == nil && response.GetNextToken() != "" {
		response, err = right.ListVolumes(ctx, &csi.ListVolumesRequest{})
	}
	return response.GetEntries(), err
}

func pageOfVolumes(all []*csi.ListVolumesResponse_Entry, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	entries, next, err := page(all, func(e *csi.ListVolumesResponse_Entry) string { return e.GetVolume().GetVolumeId() }, r.GetStartingToken(), r.GetMaxEntries())
	if err != nil {
		return nil, err
	}
	return &csi.ListVolumesResponse{Entries: entries, NextToken: next}, nil
}

// allSnapshots is like allVolumes, for snapshots.
func allSnapshots(ctx context.Context, right mutation.Right, r *csi.ListSnapshotsRequest) ([]*csi.ListSnapshotsResponse_Entry, error) {
	asked := &csi.ListSnapshotsRequest{MaxEntries: r.GetMaxEntries(), SourceVolumeId: r.GetSourceVolumeId(), SnapshotId: r.GetSnapshotId(), Secrets: r.GetSecrets()}
	response, err := right.ListSnapshots(ctx, asked)
	if err == nil && response.GetNextToken() != "" {
		asked.MaxEntries = 0
		response, err = right.ListSnapshots(ctx, asked)
	}
	return response.GetEntries(), err
}

func pageOfSnapshots(all []*csi.ListSnapshotsResponse_Entry, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	entries, next, err := page(all, func(e *csi.ListSnapshotsResponse_Entry) string { return e.GetSnapshot().GetSnapshotId() }, r.GetStartingToken(), r.GetMaxEntries())
	if err != nil {
		return nil, err
	}
	return &csi.ListSnapshotsResponse{Entries: entries, NextToken: next}, nil
}
