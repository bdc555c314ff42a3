// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// takes is how long these drivers take for a call, which is long enough for it to be given up.
const takes = 5 * time.Millisecond

// inTime waits as long as a call takes, and reports whether the caller has not given it up by then.
func inTime(ctx context.Context) bool {
	select {
	case <-time.After(takes):
		return true
	case <-ctx.Done():
		return false
	}
}

// afterGivingUp makes a driver that goes on with a call that was given up, and does something else when it is repeated.
func afterGivingUp(instead func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error)) mutation.Fault {
	var givenUp sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		if _, again := givenUp.Load(r.GetName()); again {
			return instead(ctx, right, r)
		}
		if inTime(ctx) {
			return right.CreateSnapshot(ctx, r)
		}
		givenUp.Store(r.GetName(), true)
		_, _ = right.CreateSnapshot(context.WithoutCancel(ctx), r)
		return nil, status.FromContextError(ctx.Err()).Err()
	})
}

// refusingDeletions makes a driver that refuses three times to go on with a deletion that was given up.
func refusingDeletions() mutation.Fault {
	var mu sync.Mutex
	refusals := map[string]int{}
	refuses := func(id string) bool {
		mu.Lock()
		defer mu.Unlock()
		refusals[id]--
		return refusals[id] >= 0
	}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		if refuses(r.GetSnapshotId()) {
			return nil, status.Error(codes.Internal, "the snapshot is only partly there")
		}
		if inTime(ctx) {
			return right.DeleteSnapshot(ctx, r)
		}
		mu.Lock()
		defer mu.Unlock()
		refusals[r.GetSnapshotId()] = 3
		return nil, status.FromContextError(ctx.Err()).Err()
	})
}

// listingEarly lists a snapshot while it is being taken.
func listingEarly() mutation.Fault {
	var early sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		late := !inTime(ctx)
		response, err := right.CreateSnapshot(context.WithoutCancel(ctx), r)
		early.Store(response.GetSnapshot().GetSnapshotId(), late)
		if late {
			return nil, status.FromContextError(ctx.Err()).Err()
		}
		return response, err
	}).And(mutation.Answering(func(_ *listRequest, response *listResponse) {
		for _, entry := range response.GetEntries() {
			if is, _ := early.Load(entry.GetSnapshot().GetSnapshotId()); is == true {
				entry.Snapshot.CreationTime = nil
			}
		}
	}))
}
