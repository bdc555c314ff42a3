// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// rpc is an RPC that a service must implement, by the clause, if it has the capability. An RPC with the capability UNKNOWN
// is part of every such service.
type rpc[Capability, Client any] struct {
	capability Capability
	name       string
	clause     string
	// call sends an empty request, which does nothing, or is refused.
	call func(context.Context, Client) error
}

func controllerRPCs() []rpc[csi.ControllerServiceCapability_RPC_Type, csi.ControllerClient] {
	return []rpc[csi.ControllerServiceCapability_RPC_Type, csi.ControllerClient]{
		{csi.ControllerServiceCapability_RPC_UNKNOWN, "ValidateVolumeCapabilities", "VV-04", empty(csi.ControllerClient.ValidateVolumeCapabilities)},
		{csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, "CreateVolume", "CV-01", empty(csi.ControllerClient.CreateVolume)},
		{csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, "DeleteVolume", "SV-02", empty(csi.ControllerClient.DeleteVolume)},
		{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, "ControllerPublishVolume", "CP-01", empty(csi.ControllerClient.ControllerPublishVolume)},
		{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, "ControllerUnpublishVolume", "CU-01", empty(csi.ControllerClient.ControllerUnpublishVolume)},
		{csi.ControllerServiceCapability_RPC_LIST_VOLUMES, "ListVolumes", "LV-20", looking(csi.ControllerClient.ListVolumes)},
		{csi.ControllerServiceCapability_RPC_GET_VOLUME, "ControllerGetVolume", "LV-11", empty(csi.ControllerClient.ControllerGetVolume)},
		{csi.ControllerServiceCapability_RPC_GET_CAPACITY, "GetCapacity", "CAP-01", empty(csi.ControllerClient.GetCapacity)},
		{csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, "CreateSnapshot", "CS-22", empty(csi.ControllerClient.CreateSnapshot)},
		{csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, "DeleteSnapshot", "SV-03", empty(csi.ControllerClient.DeleteSnapshot)},
		{csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS, "ListSnapshots", "SV-04", looking(csi.ControllerClient.ListSnapshots)},
		{csi.ControllerServiceCapability_RPC_GET_SNAPSHOT, "GetSnapshot", "GS-01", empty(csi.ControllerClient.GetSnapshot)},
		{csi.ControllerServiceCapability_RPC_EXPAND_VOLUME, "ControllerExpandVolume", "CE-01", empty(csi.ControllerClient.ControllerExpandVolume)},
		{csi.ControllerServiceCapability_RPC_MODIFY_VOLUME, "ControllerModifyVolume", "MV-01", empty(csi.ControllerClient.ControllerModifyVolume)},
		{csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH, "ControllerGetVolumeHealth", "VH-12", empty(csi.ControllerClient.ControllerGetVolumeHealth)},
		{csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH, "ControllerListVolumeHealth", "VH-01", empty(csi.ControllerClient.ControllerListVolumeHealth)},
	}
}

func groupRPCs() []rpc[csi.GroupControllerServiceCapability_RPC_Type, csi.GroupControllerClient] {
	const snapshots = csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT
	return []rpc[csi.GroupControllerServiceCapability_RPC_Type, csi.GroupControllerClient]{
		{snapshots, "CreateVolumeGroupSnapshot", "SV-09", empty(csi.GroupControllerClient.CreateVolumeGroupSnapshot)},
		{snapshots, "DeleteVolumeGroupSnapshot", "SV-09", empty(csi.GroupControllerClient.DeleteVolumeGroupSnapshot)},
		{snapshots, "GetVolumeGroupSnapshot", "SV-09", empty(csi.GroupControllerClient.GetVolumeGroupSnapshot)},
	}
}

func nodeRPCs() []rpc[csi.NodeServiceCapability_RPC_Type, csi.NodeClient] {
	return []rpc[csi.NodeServiceCapability_RPC_Type, csi.NodeClient]{
		{csi.NodeServiceCapability_RPC_UNKNOWN, "NodePublishVolume", "SV-01", empty(csi.NodeClient.NodePublishVolume)},
		{csi.NodeServiceCapability_RPC_UNKNOWN, "NodeUnpublishVolume", "NS-16", empty(csi.NodeClient.NodeUnpublishVolume)},
		{csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME, "NodeStageVolume", "SV-05", empty(csi.NodeClient.NodeStageVolume)},
		{csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME, "NodeUnstageVolume", "SV-06", empty(csi.NodeClient.NodeUnstageVolume)},
		{csi.NodeServiceCapability_RPC_GET_VOLUME_STATS, "NodeGetVolumeStats", "NV-01", empty(csi.NodeClient.NodeGetVolumeStats)},
		{csi.NodeServiceCapability_RPC_EXPAND_VOLUME, "NodeExpandVolume", "NE-01", empty(csi.NodeClient.NodeExpandVolume)},
		{csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH, "NodeGetVolumeHealth", "NV-05", empty(csi.NodeClient.NodeGetVolumeHealth)},
		{csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH, "NodeGetStorageHealth", "SV-07", empty(csi.NodeClient.NodeGetStorageHealth)},
	}
}

func empty[Client, Request, Response any](method func(Client, context.Context, *Request, ...grpc.CallOption) (*Response, error)) func(context.Context, Client) error {
	return func(ctx context.Context, client Client) error {
		_, err := method(client, ctx, new(Request))
		return err
	}
}

// looking returns an empty call for a list. The case only checks whether the list is implemented: other cases judge a driver
// that dies of it once there are volumes.
func looking[Client, Request, Response any](method func(Client, context.Context, *Request, ...grpc.CallOption) (*Response, error)) func(context.Context, Client) error {
	ask := empty(method)
	return func(ctx context.Context, client Client) error { return ask(attempt.Surveying(ctx), client) }
}

// clausesOf returns the clauses of the RPCs.
func clausesOf[Capability, Client any](rpcs []rpc[Capability, Client], more ...string) []string {
	var clauses []string
	for _, r := range rpcs {
		clauses = append(clauses, r.clause)
	}
	return append(clauses, more...)
}

// question is an RPC at one of the driver's endpoints.
type question struct {
	capability string
	claimed    bool
	name       string
	clause     string
	ask        func(context.Context) error
}

// ofController returns the RPCs of the controller, of the group controller and of SnapshotMetadata.
func ofController(driver *harness.Driver) []question {
	all := []question{{
		capability: csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE.String(),
		claimed:    driver.ClaimsPlugin(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE),
		name:       "GroupControllerGetCapabilities",
		clause:     groupController,
		ask: func(ctx context.Context) error {
			_, err := driver.Groups.GroupControllerGetCapabilities(ctx, &csi.GroupControllerGetCapabilitiesRequest{})
			return err
		},
	}}
	all = append(all, ofMetadata(driver)...)
	for _, r := range groupRPCs() {
		all = append(all, question{r.capability.String(), driver.ClaimsGroups(r.capability), r.name, r.clause, func(ctx context.Context) error { return r.call(ctx, driver.Groups) }})
	}
	for _, r := range controllerRPCs() {
		q := question{r.capability.String(), driver.Claims(r.capability), r.name, r.clause, func(ctx context.Context) error { return r.call(ctx, driver.Controller) }}
		if r.capability == csi.ControllerServiceCapability_RPC_UNKNOWN {
			service := csi.PluginCapability_Service_CONTROLLER_SERVICE
			q.capability, q.claimed = service.String(), driver.ClaimsPlugin(service)
		}
		all = append(all, q)
	}
	return all
}

// ofMetadata returns the RPCs of SnapshotMetadata, which are answered by streams.
func ofMetadata(driver *harness.Driver) []question {
	service := csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE
	ofService := func(name string, ask func(ctx context.Context) error) question {
		return question{service.String(), driver.ClaimsPlugin(service), name, "SV-10", ask}
	}
	return []question{
		ofService("GetMetadataAllocated", func(ctx context.Context) error {
			stream, err := driver.Metadata.GetMetadataAllocated(ctx, &csi.GetMetadataAllocatedRequest{})
			if err == nil {
				_, err = stream.Recv()
			}
			return err
		}),
		ofService("GetMetadataDelta", func(ctx context.Context) error {
			stream, err := driver.Metadata.GetMetadataDelta(ctx, &csi.GetMetadataDeltaRequest{})
			if err == nil {
				_, err = stream.Recv()
			}
			return err
		}),
	}
}

// infoOf returns the RPC by which a node identifies itself.
func infoOf(driver *harness.Driver, node *harness.Node) question {
	attaches := csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME
	return question{attaches.String(), driver.Claims(attaches), "NodeGetInfo at " + node.String(), nodeInfo, func(ctx context.Context) error {
		_, err := node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
		return err
	}}
}

// ofNode returns the RPCs of one node.
func ofNode(node *harness.Node) []question {
	var all []question
	for _, r := range nodeRPCs() {
		q := question{r.capability.String(), node.Claims(r.capability), r.name + " at " + node.String(), r.clause, func(ctx context.Context) error { return r.call(ctx, node) }}
		if r.capability == csi.NodeServiceCapability_RPC_UNKNOWN {
			q.capability, q.claimed = "the Node service", true
		}
		all = append(all, q)
	}
	return all
}
