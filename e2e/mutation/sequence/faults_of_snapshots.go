// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"crypto/rand"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faultsOfSnapshots are drivers whose snapshots and copies are wrong.
func faultsOfSnapshots() map[string]Sequence {
	return map[string]Sequence{
		"a name is several snapshots": {func() mutation.Fault {
			taken := map[string]bool{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
				name := r.GetName()
				if taken[name] {
					r.Name += "-" + rand.Text()
				}
				response, err := right.CreateSnapshot(ctx, r)
				taken[name] = taken[name] || err == nil
				return response, err
			})
		}, "CS-03", 3},

		"a name is snapshots of several volumes": {func() mutation.Fault {
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
				response, err := right.CreateSnapshot(ctx, r)
				if status.Code(err) == codes.AlreadyExists {
					r.Name += "-" + rand.Text()
					return right.CreateSnapshot(ctx, r)
				}
				return response, err
			})
		}, "CS-18", 4},

		"deletes snapshots once": {deletesSnapshotsOnce, "DS-02", 4},

		"snapshots go with their volume": {func() mutation.Fault {
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
				id := r.GetVolumeId()
				response, err := right.DeleteVolume(ctx, r)
				if err != nil {
					return nil, err
				}
				listed, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: id})
				if err != nil {
					return nil, err
				}
				for _, entry := range listed.GetEntries() {
					if _, err := right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()}); err != nil {
						return nil, err
					}
				}
				return response, nil
			})
		}, "LS-01", 5},

		"ignores snapshot_id": {func() mutation.Fault {
			return mutation.Asking(func(r *csi.ListSnapshotsRequest) { r.SnapshotId = "" })
		}, "LS-01", 5},

		"ignores source_volume_id": {func() mutation.Fault {
			return mutation.Asking(func(r *csi.ListSnapshotsRequest) { r.SourceVolumeId = "" })
		}, "LS-01", 5},

		"restores deleted snapshots with INTERNAL": {func() mutation.Fault {
			return copying(mutation.Ending(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
				if status.Code(err) == codes.NotFound {
					return nil, status.Error(codes.Internal, "no row was found")
				}
				return response, err
			}))
		}, "CREATE-05", 4},

		"copies are booked twice": {func() mutation.Fault {
			return copying(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				response, err := right.CreateVolume(ctx, r)
				if err == nil {
					waste(ctx, right)
				}
				return response, err
			}))
		}, "CAP-07", 2},

		"copies are half as large as asked": {func() mutation.Fault {
			return copying(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				asked := r.GetCapacityRange().GetRequiredBytes()
				response, err := right.CreateVolume(ctx, r)
				if err == nil {
					response.Volume.CapacityBytes = asked / 2
				}
				return response, err
			}))
		}, "CR-03", 2},

		"a name may have another source": {func() mutation.Fault {
			return copying(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				response, err := right.CreateVolume(ctx, r)
				if status.Code(err) == codes.AlreadyExists {
					r.VolumeContentSource = nil
					return right.CreateVolume(ctx, r)
				}
				return response, err
			}))
		}, "CREATE-06", 2},
	}
}

// copying is wrong about volumes that have a source.
func copying(fault mutation.Fault) mutation.Fault {
	return mutation.Where(func(r *csi.CreateVolumeRequest) bool { return r.GetVolumeContentSource() != nil }, fault)
}
