// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faultsOfSnapshots returns drivers whose snapshots and copies are wrong.
func faultsOfSnapshots() map[string]Sequence {
	return map[string]Sequence{
		"a name is several snapshots": {mutation.Again((*csi.CreateSnapshotRequest).GetName,
			mutation.Asking(func(r *csi.CreateSnapshotRequest) { r.Name += "-" + rand.Text() })), "CS-03", 3},
		"a name is snapshots of several volumes": {
			mutation.Retrying(codes.AlreadyExists, func(r *csi.CreateSnapshotRequest) { r.Name += "-" + rand.Text() }), "CS-18", 4,
		},
		"deletes snapshots once":         {deletesSnapshotsOnce(), "DS-02", 4},
		"snapshots go with their volume": {goWithVolume(), "LS-01", 5},
		"ignores snapshot_id":            {mutation.Asking(func(r *csi.ListSnapshotsRequest) { r.SnapshotId = "" }), "LS-01", 5},
		"ignores source_volume_id":       {mutation.Asking(func(r *csi.ListSnapshotsRequest) { r.SourceVolumeId = "" }), "LS-01", 5},
		"restores deleted snapshots with INTERNAL": {
			copying(mutation.Recoding[*csi.CreateVolumeRequest](codes.NotFound, codes.Internal)), "CREATE-05", 4,
		},
		"copies are booked twice": {copying(wasting()), "CAP-07", 2},
		"copies are half as large as asked": {copying(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			v.CapacityBytes = r.GetCapacityRange().GetRequiredBytes() / 2
		})), "CR-03", 2},
		"a name may have another source": {
			copying(mutation.Retrying(codes.AlreadyExists, func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = nil })), "CREATE-06", 2,
		},
	}
}

func goWithVolume() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		response, err := right.DeleteVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		listed, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: r.GetVolumeId()})
		for _, entry := range listed.GetEntries() {
			_, failed := right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: entry.GetSnapshot().GetSnapshotId()})
			err = errors.Join(err, failed)
		}
		return response, err
	})
}

// copying is wrong about volumes that have a source.
func copying(fault mutation.Fault) mutation.Fault {
	return mutation.Where(func(r *csi.CreateVolumeRequest) bool { return r.GetVolumeContentSource() != nil }, fault)
}
