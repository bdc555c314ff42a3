// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"slices"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfClaims returns drivers that do less, or more, than they claim.
func wrongOfClaims() map[string]mutation.Expectation {
	expand := mutation.Unclaimed(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
	unclaimed := mutation.Warns("claims_nothing_else", "GEN-14")
	return map[string]mutation.Expectation{
		"claims GET_VOLUME only": mutation.Wrong(mutation.Unimplemented("ControllerGetVolume"),
			mutation.Fails("claims_controller", "LV-11")),
		"implements hardly anything": mutation.Wrong(mutation.Refusing(func(request proto.Message) error {
			switch request.(type) {
			case *csi.GetPluginInfoRequest, *csi.GetPluginCapabilitiesRequest, *csi.ProbeRequest, *csi.ControllerGetCapabilitiesRequest, *csi.GroupControllerGetCapabilitiesRequest,
				*csi.NodeGetInfoRequest, *csi.NodeGetCapabilitiesRequest, *csi.ListVolumesRequest, *csi.ListSnapshotsRequest, *csi.GetCapacityRequest:
				return nil
			default:
				return status.Error(codes.Unimplemented, "not yet")
			}
		}),
			mutation.Fails("claims_controller", "CE-01 CP-01 CS-22 CU-01 CV-01 GS-01 LV-11 MV-01 SV-02 SV-03 SV-09 SV-10 VH-01 VH-12 VV-04"),
			mutation.Fails("claims_node", "NE-01 NS-16 NV-01 NV-05 SV-01 SV-05 SV-06 SV-07")),
		"claims GROUP_CONTROLLER_SERVICE only": mutation.Wrong(
			mutation.Unimplemented("GroupControllerGetCapabilities", "CreateVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot", "GetVolumeGroupSnapshot"),
			mutation.Fails("claims_controller", "SV-08")),
		"claims GET_VOLUME_STATS only": mutation.Wrong(mutation.Unimplemented("NodeGetVolumeStats"),
			mutation.Fails("claims_node", "NV-01")),
		"has nodes that do not say which they are": mutation.Wrong(mutation.Unimplemented("NodeGetInfo"),
			mutation.Fails("claims_node", "NI-01"), mutation.Errs("claims_volume_constraints"),
			mutation.Passes("identity_capabilities identity_one_name claims_controller claims_expansion")),
		"has nodes that publish nothing": mutation.Wrong(mutation.Unimplemented("NodePublishVolume"),
			mutation.Fails("claims_node", "SV-01")),
		"lists no snapshots": mutation.Wrong(
			mutation.RefusingSome(codes.Unimplemented, "not yet", func(r *csi.ListSnapshotsRequest) bool { return r.GetMaxEntries() == 0 }).
				Over(mutation.Instead(func(*csi.ListSnapshotsRequest) *csi.ListSnapshotsResponse { return &csi.ListSnapshotsResponse{} })),
			mutation.Fails("claims_controller", "SV-04")),
		"claims to take group snapshots only": mutation.Wrong(mutation.Unimplemented("DeleteVolumeGroupSnapshot"),
			mutation.Fails("claims_controller", "SV-09")),
		"takes group snapshots and does not claim it": mutation.Wrong(
			mutation.Unclaimed(csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT),
			mutation.Warns("claims_nothing_else", "GEN-14")),
		"claims SNAPSHOT_METADATA_SERVICE only": mutation.Wrong(
			mutation.Streaming(func(*csi.GetMetadataDeltaRequest, []*csi.GetMetadataDeltaResponse, error) ([]*csi.GetMetadataDeltaResponse, error) {
				return nil, status.Error(codes.Unimplemented, "not yet")
			}), mutation.Fails("claims_controller", "SV-10")),
		"has SNAPSHOT_METADATA_SERVICE and does not claim it": mutation.Wrong(
			mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE),
			mutation.Warns("claims_nothing_else", "GEN-14")),
		"has GET_SNAPSHOT and does not claim it": mutation.Wrong(
			mutation.Unclaimed(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT),
			mutation.Warns("claims_nothing_else", "GEN-14")),
		"has GET_VOLUME_STATS and does not claim it": mutation.Wrong(
			mutation.Unclaimed(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS), mutation.Warns("claims_nothing_else", "GEN-14")),
		"answers what it does not claim with INTERNAL": mutation.Wrong(
			mutation.Unclaimed(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT).And(
				mutation.RefusingAll[*csi.GetSnapshotRequest](codes.Internal, "not supported")),
			mutation.Warns("claims_nothing_else", "GEN-14")),
		"grows ONLINE by no call": mutation.Wrong(
			mutation.Unclaimed(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME, csi.NodeServiceCapability_RPC_EXPAND_VOLUME),
			mutation.Fails("claims_expansion", "PC-06"), unclaimed),
		"grows ONLINE by a call of the node": mutation.Wrong(expand, mutation.Passes("claims_expansion"), unclaimed),
		"grows OFFLINE by a call of the node": mutation.Wrong(expand.And(claimingMore(offline)),
			mutation.Fails("claims_expansion", "PC-10"), unclaimed),
		"grows at no time": mutation.Wrong(mutation.Unclaimed(csi.PluginCapability_VolumeExpansion_ONLINE),
			mutation.Warns("claims_expansion", "PC-06")),
		"has nodes that are nowhere": mutation.Wrong(
			mutation.Answering(func(_ *csi.NodeGetInfoRequest, info *csi.NodeGetInfoResponse) { info.AccessibleTopology = nil }),
			mutation.Warns("claims_volume_constraints", "PC-02")),
		"tells where volumes are published, and publishes none": mutation.Wrong(
			mutation.Unclaimed(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME),
			mutation.Fails("claims_published_nodes", "LV-16"), unclaimed),
		"lists the health of volumes, and does not tell it": mutation.Wrong(
			mutation.Unclaimed(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH),
			mutation.Fails("claims_volume_health", "VH-02"), unclaimed),
		"has snapshots that are somewhere, and none": mutation.Wrong(
			mutation.Unclaimed(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
			mutation.Warns("claims_snapshot_constraints", "PC-04"), unclaimed),
		"has ControllerGetCapabilities for the first caller only": mutation.Wrong(onceOnly[*csi.ControllerGetCapabilitiesRequest](1),
			mutation.Fails("claims_again", "SV-11")),
		"has NodeGetCapabilities for the first caller only": mutation.Wrong(onceOnly[*csi.NodeGetCapabilitiesRequest](endpoints-1),
			mutation.Fails("claims_again", "SV-12")),
		"claims GET_CAPACITY until the back end is busy": mutation.Wrong(claimsCapacityOnce(),
			mutation.Warns("claims_again", "SV-11")),
	}
}

// onceOnly makes a driver that implements the RPC for the given number of calls only.
func onceOnly[Request proto.Message](times int64) mutation.Fault {
	var calls atomic.Int64
	return mutation.RefusingSome(codes.Unimplemented, "not any more", func(Request) bool { return calls.Add(1) > times })
}

// claimsCapacityOnce makes a driver that forgets a claim after the first call.
func claimsCapacityOnce() mutation.Fault {
	var calls atomic.Int64
	return mutation.Answering(func(_ *csi.ControllerGetCapabilitiesRequest, response *csi.ControllerGetCapabilitiesResponse) {
		if calls.Add(1) == 1 {
			return
		}
		response.Capabilities = slices.DeleteFunc(response.GetCapabilities(), func(c *csi.ControllerServiceCapability) bool {
			return c.GetRpc().GetType() == csi.ControllerServiceCapability_RPC_GET_CAPACITY
		})
	})
}
