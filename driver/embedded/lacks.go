// SPDX-License-Identifier: Apache-2.0

package embedded

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// Lacks are what a driver is started without, as many drivers are. Nothing of it is claimed, answered or done.
type Lacks struct {
	// Topology is VOLUME_ACCESSIBILITY_CONSTRAINTS and its like for snapshots: all nodes are in the first segment, and
	// nobody is told.
	Topology bool
	// Capacity is GET_CAPACITY.
	Capacity bool
	// Attach is PUBLISH_UNPUBLISH_VOLUME and what belongs to it.
	Attach bool
}

type identity struct {
	*service.Identity
	lacks Lacks
}

// GetPluginCapabilities claims what the driver has.
func (i identity) GetPluginCapabilities(ctx context.Context, r *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	response, err := i.Identity.GetPluginCapabilities(ctx, r)
	if i.lacks.Topology {
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.PluginCapability) bool {
			service := c.GetService().GetType()
			return service == csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS ||
				service == csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS
		})
	}
	return response, err
}

type controller struct {
	*service.Controller
	lacks Lacks
}

// ControllerGetCapabilities claims what the driver has.
func (c controller) ControllerGetCapabilities(ctx context.Context, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	response, err := c.Controller.ControllerGetCapabilities(ctx, r)
	response.Capabilities = slices.DeleteFunc(response.Capabilities, func(claimed *csi.ControllerServiceCapability) bool {
		switch claimed.GetRpc().GetType() {
		case csi.ControllerServiceCapability_RPC_GET_CAPACITY:
			return c.lacks.Capacity
		case csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME,
			csi.ControllerServiceCapability_RPC_PUBLISH_READONLY,
			csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES:
			return c.lacks.Attach
		default:
			return false
		}
	})
	return response, err
}

// CreateVolume answers without topology where there is none.
func (c controller) CreateVolume(ctx context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	response, err := c.Controller.CreateVolume(ctx, r)
	c.removeTopology(response.GetVolume())
	return response, err
}

// ControllerGetVolume answers without topology where there is none.
func (c controller) ControllerGetVolume(ctx context.Context, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
	response, err := c.Controller.ControllerGetVolume(ctx, r)
	c.removeTopology(response.GetVolume())
	return response, err
}

// ListVolumes answers without topology where there is none.
func (c controller) ListVolumes(ctx context.Context, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	response, err := c.Controller.ListVolumes(ctx, r)
	for _, entry := range response.GetEntries() {
		c.removeTopology(entry.GetVolume())
	}
	return response, err
}

func (c controller) removeTopology(volume *csi.Volume) {
	if c.lacks.Topology && volume != nil {
		volume.AccessibleTopology = nil
	}
}

// CreateSnapshot answers without topology where there is none.
func (c controller) CreateSnapshot(ctx context.Context, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	response, err := c.Controller.CreateSnapshot(ctx, r)
	c.removeSnapshotTopology(response.GetSnapshot())
	return response, err
}

// GetSnapshot answers without topology where there is none.
func (c controller) GetSnapshot(ctx context.Context, r *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
	response, err := c.Controller.GetSnapshot(ctx, r)
	c.removeSnapshotTopology(response.GetSnapshot())
	return response, err
}

// ListSnapshots answers without topology where there is none.
func (c controller) ListSnapshots(ctx context.Context, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	response, err := c.Controller.ListSnapshots(ctx, r)
	for _, entry := range response.GetEntries() {
		c.removeSnapshotTopology(entry.GetSnapshot())
	}
	return response, err
}

func (c controller) removeSnapshotTopology(snapshot *csi.Snapshot) {
	if c.lacks.Topology && snapshot != nil {
		snapshot.AccessibleTopology = nil
	}
}

// GetCapacity is not implemented where there is none.
func (c controller) GetCapacity(ctx context.Context, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	if c.lacks.Capacity {
		return nil, unimplemented("GetCapacity")
	}
	return c.Controller.GetCapacity(ctx, r)
}

// ControllerPublishVolume is not implemented where there is no attaching.
func (c controller) ControllerPublishVolume(ctx context.Context, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	if c.lacks.Attach {
		return nil, unimplemented("ControllerPublishVolume")
	}
	return c.Controller.ControllerPublishVolume(ctx, r)
}

// ControllerUnpublishVolume is not implemented where there is no attaching.
func (c controller) ControllerUnpublishVolume(ctx context.Context, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
	if c.lacks.Attach {
		return nil, unimplemented("ControllerUnpublishVolume")
	}
	return c.Controller.ControllerUnpublishVolume(ctx, r)
}

func unimplemented(rpc string) error {
	return status.Errorf(codes.Unimplemented, "%s is not implemented: the driver was started without it", rpc)
}

type node struct {
	*service.Node
	lacks   Lacks
	segment topology.Segment
	store   *record.Store
}

// NodeGetInfo says nothing of topology where there is none.
func (n node) NodeGetInfo(ctx context.Context, r *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	response, err := n.Node.NodeGetInfo(ctx, r)
	if n.lacks.Topology && response != nil {
		response.AccessibleTopology = nil
	}
	return response, err
}

// NodeStageVolume finds out itself where there is no attaching that a volume is not accessible from the node, as a driver
// does to whose nodes the storage is or is not there.
func (n node) NodeStageVolume(ctx context.Context, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
	v, err := n.store.Volume(r.GetVolumeId())
	if n.lacks.Attach && err == nil && !slices.ContainsFunc(v.Segments, func(s topology.Segment) bool { return n.segment.Matches(s) }) {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %q is accessible from %v only, and the node is in {%s}", v.ID, v.Segments, n.segment)
	}
	return n.Node.NodeStageVolume(ctx, r)
}
