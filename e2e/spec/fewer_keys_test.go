package spec_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// zonesOnly is a driver whose nodes report a region and a zone, and which says of a volume or a snapshot only the zone:
// that names a segment as well.
func zonesOnly() spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		leaveOutRegions(response.GetVolume().GetAccessibleTopology())
		return response, err
	}).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		for _, entry := range response.GetEntries() {
			leaveOutRegions(entry.GetVolume().GetAccessibleTopology())
		}
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		response, err := right.ControllerGetVolume(ctx, r)
		leaveOutRegions(response.GetVolume().GetAccessibleTopology())
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		leaveOutRegions(response.GetSnapshot().GetAccessibleTopology())
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
		response, err := right.ListSnapshots(ctx, r)
		for _, entry := range response.GetEntries() {
			leaveOutRegions(entry.GetSnapshot().GetAccessibleTopology())
		}
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
		response, err := right.GetSnapshot(ctx, r)
		leaveOutRegions(response.GetSnapshot().GetAccessibleTopology())
		return response, err
	}))
}

func leaveOutRegions(topologies []*csi.Topology) {
	for _, term := range topologies {
		delete(term.GetSegments(), topology.RegionKey)
	}
}
