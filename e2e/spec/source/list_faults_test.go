package source_test

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// listFaults are drivers that are wrong in one way each, in what they say of the snapshots that there are.
var listFaults = map[string]spectest.Fault{
	"lists no snapshots": listing(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
		response.Entries, response.NextToken = nil, ""
	}),
	"lists snapshots with another size": listing(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
		for _, entry := range response.GetEntries() {
			entry.Snapshot.SizeBytes++
		}
	}),
	"lists deleted snapshots":            listingDeleted(),
	"ignores source_volume_id in a list": askingList(func(r *csi.ListSnapshotsRequest) { r.SourceVolumeId = "" }),
	"ignores snapshot_id in a list":      askingList(func(r *csi.ListSnapshotsRequest) { r.SnapshotId = "" }),
	"ignores max_entries":                askingList(func(r *csi.ListSnapshotsRequest) { r.MaxEntries = 0 }),
	"the second page is the first again": askingList(func(r *csi.ListSnapshotsRequest) { r.StartingToken = "" }),
	"pages have no next_token":           listing(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) { response.NextToken = "" }),
	"an invalid token is the beginning": tokenRefused(func(ctx context.Context, right spectest.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		r.StartingToken = ""
		return right.ListSnapshots(ctx, r)
	}),
	"an invalid token is INVALID_ARGUMENT": tokenRefused(func(context.Context, spectest.Right, *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		return nil, status.Error(codes.InvalidArgument, "the token is not valid")
	}),
	"gets no snapshots": getting(func(context.Context, *csi.GetSnapshotResponse, error) (*csi.GetSnapshotResponse, error) {
		return nil, status.Error(codes.Unimplemented, "there is no GetSnapshot")
	}),
	"gets snapshots with another size": getting(func(_ context.Context, response *csi.GetSnapshotResponse, err error) (*csi.GetSnapshotResponse, error) {
		if err == nil {
			response.Snapshot.SizeBytes++
		}
		return response, err
	}),
	"gets what there is not": getting(func(_ context.Context, response *csi.GetSnapshotResponse, err error) (*csi.GetSnapshotResponse, error) {
		if status.Code(err) == codes.NotFound {
			return &csi.GetSnapshotResponse{Snapshot: &csi.Snapshot{}}, nil
		}
		return response, err
	}),
}

func listing(change func(*csi.ListSnapshotsRequest, *csi.ListSnapshotsResponse)) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		response, err := right.ListSnapshots(ctx, r)
		if err == nil {
			change(r, response)
		}
		return response, err
	})
}

func askingList(change func(*csi.ListSnapshotsRequest)) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		change(r)
		return right.ListSnapshots(ctx, r)
	})
}

// listingDeleted keeps the last snapshot that was asked for by id in its list.
func listingDeleted() spectest.Fault {
	var mu sync.Mutex
	known := map[string]*csi.Snapshot{}
	return listing(func(r *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
		mu.Lock()
		defer mu.Unlock()
		if r.GetSnapshotId() == "" {
			return
		}
		for _, entry := range response.GetEntries() {
			known[entry.GetSnapshot().GetSnapshotId()] = proto.CloneOf(entry.GetSnapshot())
		}
		if len(response.GetEntries()) == 0 && known[r.GetSnapshotId()] != nil {
			response.Entries = []*csi.ListSnapshotsResponse_Entry{{Snapshot: known[r.GetSnapshotId()]}}
		}
	})
}

func tokenRefused(instead func(context.Context, spectest.Right, *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error)) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		response, err := right.ListSnapshots(ctx, r)
		if status.Code(err) == codes.Aborted {
			return instead(ctx, right, r)
		}
		return response, err
	})
}

func getting(instead func(context.Context, *csi.GetSnapshotResponse, error) (*csi.GetSnapshotResponse, error)) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
		response, err := right.GetSnapshot(ctx, r)
		return instead(ctx, response, err)
	})
}
