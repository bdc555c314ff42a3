// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"

	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// afterGivingUp makes a driver that goes on with a snapshot that was given up, and does something else when its call is
// repeated.
func afterGivingUp(instead func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error)) mutation.Fault {
	return mutation.AfterGivingUp(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		return right.CreateSnapshot(ctx, r)
	}, instead)
}

// listingEarly lists a snapshot while it is being taken.
func listingEarly() mutation.Fault {
	var early sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		late := !mutation.InTime(ctx)
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
