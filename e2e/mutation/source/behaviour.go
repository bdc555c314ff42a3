// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	createRequest    = csi.CreateVolumeRequest
	createResponse   = csi.CreateVolumeResponse
	snapshotRequest  = csi.CreateSnapshotRequest
	snapshotResponse = csi.CreateSnapshotResponse
	listRequest      = csi.ListSnapshotsRequest
	listResponse     = csi.ListSnapshotsResponse
	getRequest       = csi.GetSnapshotRequest
	getResponse      = csi.GetSnapshotResponse
)

// copying returns the fault of a CreateVolume for volumes that have a source.
func copying(fault mutation.Fault) mutation.Fault {
	return mutation.Where(func(r *createRequest) bool { return r.GetVolumeContentSource() != nil }, fault)
}

// asking makes a driver that reads a different request for a copy than it got, and answering one that describes a
// copy wrongly.
func asking(change func(*createRequest)) mutation.Fault { return copying(mutation.Asking(change)) }

func answering(change func(*createRequest, *csi.Volume)) mutation.Fault {
	return copying(mutation.AnsweringVolume(change))
}

// recoding makes a driver that refuses a copy with another code than it should.
func recoding(instead, other codes.Code) mutation.Fault {
	return copying(mutation.Recoding[*createRequest](instead, other))
}

// hiding makes a driver that reads another request for a copy than it got, and says that the copy has the source it was asked for.
func hiding(change func(*createRequest)) mutation.Fault {
	return answering(func(r *createRequest, v *csi.Volume) { v.ContentSource = r.GetVolumeContentSource() }).Over(asking(change))
}

func withoutSource(r *createRequest) { r.VolumeContentSource = nil }

// answeringSnapshot makes a driver that describes a snapshot otherwise than it is.
func answeringSnapshot(change func(*snapshotRequest, *csi.Snapshot)) mutation.Fault {
	return mutation.Answering(func(r *snapshotRequest, response *snapshotResponse) { change(r, response.GetSnapshot()) })
}

// snapshotsOf returns the snapshots of the volume, as the driver that is right lists them.
func snapshotsOf(ctx context.Context, right mutation.Right, volumeID string) []*csi.ListSnapshotsResponse_Entry {
	response, err := right.ListSnapshots(ctx, &listRequest{SourceVolumeId: volumeID})
	if err != nil {
		return nil
	}
	return response.GetEntries()
}
