// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// listFaults returns drivers that each list and get snapshots wrongly in one way.
func listFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"lists no snapshots": mutation.Wrong(mutation.Answering(func(_ *listRequest, response *listResponse) {
			response.Entries, response.NextToken = nil, ""
		}), mutation.Fails("snapshots_by_both", "LS-01"),
			mutation.Fails("snapshot_listed snapshots_by_source snapshots_paged snapshots_paged_all snapshots_while_snapshots_change", "LS-01")),
		"lists snapshots with another size": mutation.Wrong(mutation.Answering(func(_ *listRequest, response *listResponse) {
			for _, entry := range response.GetEntries() {
				entry.Snapshot.SizeBytes++
			}
		}), mutation.Fails("snapshot_listed", "LS-01")),
		"lists deleted snapshots by their id": mutation.Wrong(listingDeleted(func(r *listRequest) bool { return r.GetSnapshotId() != "" }),
			mutation.Warns("snapshots_by_both", "LS-01"), mutation.Warns("snapshots_by_source", "LS-05")),
		"lists snapshots forever": mutation.Wide(
			listingDeleted(func(r *listRequest) bool { return r.GetSnapshotId()+r.GetSourceVolumeId() == "" }),
			mutation.Warns("snapshot_listed", "DS-01 CV-07")),
		"NOT_FOUND for an unknown snapshot_id in a list": mutation.Wrong(
			mutation.Ending(func(r *listRequest, response *listResponse, err error) (*listResponse, error) {
				if err == nil && r.GetSnapshotId() != "" && len(response.GetEntries()) == 0 {
					return nil, status.Error(codes.NotFound, "there is no such snapshot")
				}
				return response, err
			}), mutation.Warns("snapshots_by_source", "LS-05")),
		"INTERNAL for a negative max_entries": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, "makeslice: cap out of range", func(r *listRequest) bool {
				return r.GetMaxEntries() < 0
			}), mutation.Warns("snapshots_negative_max_entries", "GEN-12")),
		"has no small pages": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "max_entries must be at least 5", func(r *listRequest) bool {
				return r.GetMaxEntries() > 0 && r.GetMaxEntries() < 5
			}), mutation.Warns("snapshots_paged snapshots_paged_all", "LS-02"),
			mutation.Passes("snapshots_while_snapshots_change")),
		"has pages of one entry": mutation.Wrong(mutation.Asking(func(r *listRequest) { r.MaxEntries = min(r.GetMaxEntries(), 1) }),
			mutation.Passes("snapshots_paged snapshots_paged_all snapshots_while_snapshots_change")),
		"tokens end when snapshots change": mutation.Wrong(endingTokens(codes.Aborted),
			mutation.Passes("snapshots_while_snapshots_change")),
		"others begin a list meanwhile": mutation.Wrong(staleTokens(), mutation.Passes("snapshots_paged snapshots_paged_all")),
		"INTERNAL when snapshots change": mutation.Wrong(endingTokens(codes.Internal),
			mutation.Fails("snapshots_while_snapshots_change", "LS-06")),
		"ignores source_volume_id in a list": mutation.Wrong(mutation.Asking(func(r *listRequest) { r.SourceVolumeId = "" }),
			mutation.Warns("snapshots_by_both", "LS-01"), mutation.Fails("snapshots_by_source snapshots_paged", "LS-01")),
		"ignores snapshot_id in a list": mutation.Wrong(mutation.Asking(func(r *listRequest) { r.SnapshotId = "" }),
			mutation.Fails("snapshots_by_source", "LS-01")),
		"ignores max_entries": mutation.Wrong(mutation.Asking(func(r *listRequest) { r.MaxEntries = 0 }),
			mutation.Fails("snapshots_paged snapshots_paged_all", "LS-02"),
			mutation.Warns("snapshots_negative_max_entries", "LS-08")),
		"the second page is the first again": mutation.Wrong(mutation.Asking(func(r *listRequest) { r.StartingToken = "" }),
			mutation.Fails("snapshots_paged snapshots_paged_all", "LS-03"), mutation.Warns("snapshots_invalid_token", "LS-06")),
		"pages have no next_token": mutation.Wrong(
			mutation.Answering(func(_ *listRequest, response *listResponse) { response.NextToken = "" }),
			mutation.Fails("snapshots_paged snapshots_paged_all", "LS-03")),
		"pages of all snapshots have no next_token": mutation.Wrong(mutation.Answering(func(r *listRequest, response *listResponse) {
			if r.GetSourceVolumeId() == "" {
				response.NextToken = ""
			}
		}), mutation.Fails("snapshots_paged_all", "LS-03")),
		"forgets source_volume_id after the first page": mutation.Wrong(mutation.Asking(func(r *listRequest) {
			if r.GetStartingToken() != "" {
				r.SourceVolumeId = ""
			}
		}), mutation.Fails("snapshots_paged", "LS-01")),
		"deletes the oldest snapshot of a volume as well": mutation.Wrong(deletingBetween(func(ctx context.Context, right mutation.Right, oldest string, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
			if _, err := right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: oldest}); err != nil {
				return nil, err
			}
			return right.DeleteSnapshot(ctx, r)
		}), mutation.Fails("snapshots_paged", "LS-01")),
		"does not delete a snapshot that is between two others": mutation.Wide(deletingBetween(func(context.Context, mutation.Right, string, *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
			return nil, status.Error(codes.FailedPrecondition, "a later snapshot needs this one")
		}), mutation.Passes("snapshots_paged")),
		"counts pages, whatever their sizes": mutation.Wrong(countingPages(), mutation.Fails("snapshots_paged", "LS-03")),
		"an invalid token is the beginning": mutation.Wrong(
			mutation.Retrying(codes.Aborted, func(r *listRequest) { r.StartingToken = "" }), mutation.Warns("snapshots_invalid_token", "LS-06")),
		"an invalid token is INVALID_ARGUMENT": mutation.Wrong(
			mutation.Recoding[*listRequest](codes.Aborted, codes.InvalidArgument), mutation.Fails("snapshots_invalid_token snapshots_invalid_token_later", "LS-06")),
		"gets no snapshots": mutation.Wrong(mutation.Unimplemented("GetSnapshot"), mutation.Fails("snapshot_got", "GS-01"),
			mutation.Fails("snapshot_get_unknown", "GS-02")),
		"gets snapshots with another size":          mutation.Wrong(mutation.Answering(func(_ *getRequest, response *getResponse) { response.Snapshot.SizeBytes++ }), mutation.Fails("snapshot_got", "GS-01")),
		"gets no snapshot that is not ready to use": mutation.Wrong(gettingReady(), mutation.Fails("snapshot_got", "GS-04")),
		"says that a snapshot is ready to use before it is": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, response *getResponse) { response.Snapshot.ReadyToUse = false }), mutation.Fails("snapshot_got", "CS-24")),
		"gets snapshots that do not exist": mutation.Wrong(
			mutation.InsteadOf(codes.NotFound, func(context.Context, mutation.Right, *getRequest, error) (*getResponse, error) {
				return &getResponse{Snapshot: &csi.Snapshot{}}, nil
			}), mutation.Fails("snapshot_get_unknown", "GS-02")),
		"gets snapshots from memory": mutation.Wrong(mutation.RememberingInsteadOf(codes.NotFound, (*getRequest).GetSnapshotId),
			mutation.Fails("snapshot_get_unknown", "GS-02")),
		"every snapshot of a volume was taken when the latest one was": mutation.Wrong(timeOfLatest(),
			mutation.Fails("snapshot_got", "GS-01"), mutation.Fails("snapshots_by_source snapshots_paged", "LS-01")),
	}
}

// deletingBetween makes a driver that does otherwise instead of deleting a snapshot that is neither the oldest nor the
// newest of its volume.
func deletingBetween(otherwise func(ctx context.Context, right mutation.Right, oldest string, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error)) mutation.Fault {
	var mu sync.Mutex
	taken := map[string][]string{} // the snapshots of each volume, the oldest first
	return mutation.Answering(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		mu.Lock()
		defer mu.Unlock()
		if id := response.GetSnapshot().GetSnapshotId(); !slices.Contains(taken[r.GetSourceVolumeId()], id) {
			taken[r.GetSourceVolumeId()] = append(taken[r.GetSourceVolumeId()], id)
		}
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		for volume, all := range taken {
			i := slices.Index(all, r.GetSnapshotId())
			if i > 0 && i < len(all)-1 {
				return otherwise(ctx, right, all[0], r)
			}
			if i >= 0 {
				taken[volume] = slices.Delete(all, i, i+1)
			}
		}
		return right.DeleteSnapshot(ctx, r)
	}))
}

// listingDeleted makes a driver that keeps listing deleted snapshots in lists for which in returns true.
func listingDeleted(in func(*listRequest) bool) mutation.Fault {
	var mu sync.Mutex
	known := map[string]*csi.Snapshot{}
	return mutation.Answering(func(r *listRequest, response *listResponse) {
		mu.Lock()
		defer mu.Unlock()
		if !in(r) {
			return
		}
		there := map[string]bool{}
		for _, entry := range response.GetEntries() {
			id := entry.GetSnapshot().GetSnapshotId()
			known[id], there[id] = proto.CloneOf(entry.GetSnapshot()), true
		}
		for id, snapshot := range known {
			if !there[id] && (r.GetSnapshotId() == "" || r.GetSnapshotId() == id) {
				response.Entries = append(response.Entries, &csi.ListSnapshotsResponse_Entry{Snapshot: snapshot})
			}
		}
	})
}

func timeOfLatest() mutation.Fault {
	var times, known sync.Map // by volume_id, and by snapshot_id
	latest := func(s *csi.Snapshot) {
		if at, found := times.Load(s.GetSourceVolumeId()); found {
			s.CreationTime = at.(*timestamppb.Timestamp)
		}
	}
	return answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
		if _, again := known.LoadOrStore(s.GetSnapshotId(), true); !again {
			times.Store(s.GetSourceVolumeId(), s.GetCreationTime())
		}
	}).And(mutation.Answering(func(_ *getRequest, response *getResponse) { latest(response.GetSnapshot()) })).
		And(mutation.Answering(func(_ *listRequest, response *listResponse) {
			for _, entry := range response.GetEntries() {
				latest(entry.GetSnapshot())
			}
		}))
}

func countingPages() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		most := int(r.GetMaxEntries())
		page, err := strconv.Atoi(r.GetStartingToken())
		if most <= 0 || page < 0 || err != nil && r.GetStartingToken() != "" {
			return right.ListSnapshots(ctx, r)
		}
		r.StartingToken, r.MaxEntries = "", 0
		response, err := right.ListSnapshots(ctx, r)
		all := response.GetEntries()
		if to := (page + 1) * most; to < len(all) {
			response.Entries, response.NextToken = all[page*most:to], strconv.Itoa(page+1)
		} else if err == nil {
			response.Entries = all[min(len(all), page*most):]
		}
		return response, err
	})
}

// endingTokens makes a driver that refuses with the code a token from before the last snapshot was taken.
func endingTokens(code codes.Code) mutation.Fault {
	var changes atomic.Int64
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		now := fmt.Sprintf("%d ", changes.Load())
		token, current := strings.CutPrefix(r.GetStartingToken(), now)
		if token != "" && !current && strings.Contains(token, " ") {
			return nil, status.Error(code, "the snapshots have changed")
		}
		r.StartingToken = token
		response, err := right.ListSnapshots(ctx, r)
		if response.GetNextToken() != "" {
			response.NextToken = now + response.GetNextToken()
		}
		return response, err
	}).And(mutation.Asking(func(_ *snapshotRequest) { changes.Add(1) }))
}

// gettingReady makes a driver that does not find a snapshot until it is ready to use, from the second request on.
func gettingReady() mutation.Fault {
	var asked sync.Map
	ready := func(name string) bool {
		times, _ := asked.LoadOrStore(name, new(atomic.Int64))
		return times.(*atomic.Int64).Add(1) > 1
	}
	var processed sync.Map
	return answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		s.ReadyToUse = ready(r.GetName())
		processed.Store(s.GetSnapshotId(), !s.GetReadyToUse())
	}).And(mutation.RefusingSome(codes.NotFound, "the snapshot is being copied", func(r *getRequest) bool {
		is, _ := processed.Load(r.GetSnapshotId())
		return is == true
	}))
}

// staleTokens makes a driver that keeps the pages of only one list, while another client begins a list during each of the
// first reads by page: that makes earlier tokens invalid.
func staleTokens() mutation.Fault {
	const stale = 2
	var lists atomic.Int64
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		if r.GetMaxEntries() <= 0 {
			return right.ListSnapshots(ctx, r)
		}
		list, token, later := strings.Cut(r.GetStartingToken(), "/")
		if !later {
			list = strconv.FormatInt(lists.Add(1), 10)
		}
		if n, _ := strconv.Atoi(list); later && n <= stale {
			return nil, status.Error(codes.Aborted, "another list was begun since")
		}
		r = proto.CloneOf(r)
		r.StartingToken = token
		response, err := right.ListSnapshots(ctx, r)
		if response.GetNextToken() != "" {
			response.NextToken = list + "/" + response.GetNextToken()
		}
		return response, err
	})
}

// forgettingTokens makes a driver that answers INVALID_ARGUMENT instead of ABORTED to a token once a snapshot was deleted, until
// it takes another snapshot.
func forgettingTokens() mutation.Fault {
	var forgotten atomic.Bool
	return mutation.Ending(func(_ *listRequest, response *listResponse, err error) (*listResponse, error) {
		if status.Code(err) == codes.Aborted && forgotten.Load() {
			return nil, status.Error(codes.InvalidArgument, "the token is not valid")
		}
		return response, err
	}).And(mutation.Asking(func(*snapshotRequest) { forgotten.Store(false) })).
		And(mutation.Asking(func(*csi.DeleteSnapshotRequest) { forgotten.Store(true) }))
}
