// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// GroupController is the CSI GroupController service, for the volumes and snapshots of a Controller in central mode.
// Where volumes are local to a node, one may be staged while others of its group are copied.
//
// It takes the locks as the Controller does, in this order: the name of a group,
// volumes by their ids, a group, snapshots by their ids.
type GroupController struct {
	csi.UnimplementedGroupControllerServer
	controller *Controller
	names      *keyedLock
	groups     *keyedLock
}

// NewGroupController returns the GroupController service for a controller.
func NewGroupController(controller *Controller) *GroupController {
	return &GroupController{controller: controller, names: newKeyedLock(), groups: newKeyedLock()}
}

// GroupControllerGetCapabilities reports that group snapshots are supported.
func (g *GroupController) GroupControllerGetCapabilities(context.Context, *csi.GroupControllerGetCapabilitiesRequest) (*csi.GroupControllerGetCapabilitiesResponse, error) {
	return &csi.GroupControllerGetCapabilitiesResponse{Capabilities: []*csi.GroupControllerServiceCapability{{
		Type: &csi.GroupControllerServiceCapability_Rpc{Rpc: &csi.GroupControllerServiceCapability_RPC{
			Type: csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
		}},
	}}}, nil
}

// CreateVolumeGroupSnapshot runs alone for its name, for all volumes it is taken of,
// and for the group that has the name.
func (g *GroupController) CreateVolumeGroupSnapshot(ctx context.Context, r *csi.CreateVolumeGroupSnapshotRequest) (*csi.CreateVolumeGroupSnapshotResponse, error) {
	unlock, err := g.names.lock(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	defer unlock()
	unlockVolumes, err := g.controller.volumes.lockAll(ctx, r.GetSourceVolumeIds())
	if err != nil {
		return nil, err
	}
	defer unlockVolumes()
	if existing := g.controller.core.store.GroupNamed(r.GetName()); existing != "" {
		unlock, err := g.groups.lock(ctx, existing)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	return g.controller.core.createGroupSnapshot(ctx, r)
}

// DeleteVolumeGroupSnapshot runs alone for its group and for the snapshots in it.
func (g *GroupController) DeleteVolumeGroupSnapshot(ctx context.Context, r *csi.DeleteVolumeGroupSnapshotRequest) (*csi.DeleteVolumeGroupSnapshotResponse, error) {
	unlock, err := g.groups.lock(ctx, r.GetGroupSnapshotId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	// deleteGroupSnapshot handles a group without a record.
	if group, _, err := g.controller.core.store.Group(r.GetGroupSnapshotId()); err == nil {
		unlock, err := g.controller.snapshots.lockAll(ctx, group.Snapshots)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	return g.controller.core.deleteGroupSnapshot(ctx, r)
}

// GetVolumeGroupSnapshot reads the records at one moment, and needs no lock.
func (g *GroupController) GetVolumeGroupSnapshot(ctx context.Context, r *csi.GetVolumeGroupSnapshotRequest) (*csi.GetVolumeGroupSnapshotResponse, error) {
	return g.controller.core.getGroupSnapshot(ctx, r)
}
