// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// waiving returns a profile that waives the requirements.
func waiving(ids ...string) func(*harness.Target) {
	return func(t *harness.Target) {
		t.Seed, t.Steps = 2, steps // a seed that shows all of the faults
		for _, id := range ids {
			t.Profile.Waivers = append(t.Profile.Waivers, profile.Waiver{Requirement: id, Reason: "known"})
		}
	}
}

// deletesInUse unpublishes a volume in use before it deletes it.
func deletesInUse() mutation.Fault {
	return mutation.InsteadOf(codes.FailedPrecondition, func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest, _ error) (*csi.DeleteVolumeResponse, error) {
		if _, err := right.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
			return nil, err
		}
		return right.DeleteVolume(ctx, r)
	})
}

// validatesDeleted answers INTERNAL for a volume that does not exist.
func validatesDeleted() mutation.Fault {
	return mutation.Recoding[*csi.ValidateVolumeCapabilitiesRequest](codes.NotFound, codes.Internal)
}

// deletesSnapshotsOnce answers NOT_FOUND for a snapshot that does not exist.
func deletesSnapshotsOnce() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		listed, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SnapshotId: r.GetSnapshotId()})
		if err == nil && len(listed.GetEntries()) == 0 {
			return nil, status.Error(codes.NotFound, "there is no such snapshot")
		}
		return right.DeleteSnapshot(ctx, r)
	})
}
