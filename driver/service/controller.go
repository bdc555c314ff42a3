// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// ControllerConfig is the configuration of a controller. All but the last two fields
// are required, and belong to the controller from then on.
type ControllerConfig struct {
	// Inventory knows the nodes and the segments they are in.
	Inventory Inventory
	// Pools must have nothing reserved; NewController reserves the capacity of the records.
	Pools *pool.Reservations
	// Store has the records of volumes, snapshots and publications.
	Store *record.Store
	// Volumes creates, grows and removes volumes on disk.
	Volumes volume.Provisioner
	// Kinds are the supported kinds of volumes; the first is the default.
	Kinds []SupportedKind
	// MaxVolumesPerNode is the number of volumes that a node may have published; 0
	// means unlimited.
	MaxVolumesPerNode int64
	// Local is the segment of the one node that the volumes belong to, in node-local
	// mode. The controller then neither publishes, because a volume is where its node
	// is, nor expands, which LocalNode does. nil serves all segments.
	Local topology.Segment
}

// SupportedKind is a kind of volume that the driver creates.
type SupportedKind struct {
	Kind volume.Kind
	// Sizes are the sizes that volumes of the kind may have.
	Sizes Sizes
}

// Controller is the CSI Controller service for all segments of its inventory: the whole
// cluster in central mode, one node in node-local mode.
//
// It takes the locks, and leaves the work to a core without locks: calls for one volume or snapshot, and calls to create
// one name, run one after the other; all others run concurrently. Locks are taken in this order: a name, volumes by their
// ids, a snapshot. This order prevents deadlocks.
type Controller struct {
	csi.UnimplementedControllerServer
	core          *controller
	names         *keyedLock
	volumes       *keyedLock
	snapshotNames *keyedLock
	snapshots     *keyedLock
}

// NewController returns a controller that continues from its records: it reserves their capacity, and finishes or undoes
// what an earlier process left unfinished. ctx bounds this recovery, and carries the logger.
func NewController(ctx context.Context, c ControllerConfig) (*Controller, error) {
	core := &controller{
		inventory:         c.Inventory,
		placement:         &placement{reservations: c.Pools, local: c.Local},
		store:             c.Store,
		volumes:           c.Volumes,
		maxVolumesPerNode: c.MaxVolumesPerNode,
		local:             c.Local != nil,
	}
	for _, supported := range c.Kinds {
		core.kinds = append(core.kinds, SupportedKind{Kind: supported.Kind, Sizes: supported.Sizes.orDefaults()})
	}
	if err := core.recover(ctx); err != nil {
		return nil, err
	}
	return &Controller{
		core:          core,
		names:         newKeyedLock(),
		volumes:       newKeyedLock(),
		snapshotNames: newKeyedLock(),
		snapshots:     newKeyedLock(),
	}, nil
}

// SetCapacity changes the capacity of the segments from the next call on. Existing volumes stay, even if they take more
// than the new capacity.
func (c *Controller) SetCapacity(capacity pool.Capacity) { c.core.placement.setCapacity(capacity) }

// Usage returns the total and the remaining capacity of each class of storage in each segment.
func (c *Controller) Usage() []pool.Usage {
	return c.core.placement.usage(c.core.inventory.Segments())
}

// CreateVolume runs alone for its name, for the volume that has the name, and for its source.
func (c *Controller) CreateVolume(ctx context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	unlock, err := c.names.lock(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	defer unlock()
	// A volume that does not exist yet needs no lock: until the name is unlocked, no
	// caller has seen the id that it will get.
	var ids []string
	if existing, err := c.core.store.VolumeNamed(r.GetName()); err == nil {
		ids = append(ids, existing.ID)
	}
	if source := r.GetVolumeContentSource().GetVolume().GetVolumeId(); source != "" {
		ids = append(ids, source)
	}
	unlockVolumes, err := c.volumes.lockAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	defer unlockVolumes()
	if source := r.GetVolumeContentSource().GetSnapshot().GetSnapshotId(); source != "" {
		unlock, err := c.snapshots.lock(ctx, source)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	return c.core.createVolume(ctx, r)
}

// DeleteVolume runs alone for its volume.
func (c *Controller) DeleteVolume(ctx context.Context, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return alone(ctx, c, r, c.core.deleteVolume)
}

// ControllerPublishVolume runs alone for its volume.
func (c *Controller) ControllerPublishVolume(ctx context.Context, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	if c.core.local {
		return c.UnimplementedControllerServer.ControllerPublishVolume(ctx, r)
	}
	return alone(ctx, c, r, c.core.publishVolume)
}

// ControllerUnpublishVolume runs alone for its volume.
func (c *Controller) ControllerUnpublishVolume(ctx context.Context, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
	if c.core.local {
		return c.UnimplementedControllerServer.ControllerUnpublishVolume(ctx, r)
	}
	return alone(ctx, c, r, c.core.unpublishVolume)
}

// ControllerExpandVolume runs alone for its volume.
func (c *Controller) ControllerExpandVolume(ctx context.Context, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
	if c.core.local {
		return c.UnimplementedControllerServer.ControllerExpandVolume(ctx, r) // see LocalNode
	}
	return alone(ctx, c, r, c.core.expandVolume)
}

// ControllerModifyVolume runs alone for its volume.
func (c *Controller) ControllerModifyVolume(ctx context.Context, r *csi.ControllerModifyVolumeRequest) (*csi.ControllerModifyVolumeResponse, error) {
	return alone(ctx, c, r, c.core.modifyVolume)
}

// CreateSnapshot runs alone for its name, for the volume it is taken of, and for
// the snapshot that has the name.
func (c *Controller) CreateSnapshot(ctx context.Context, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	unlock, err := c.snapshotNames.lock(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	defer unlock()
	unlockVolume, err := c.volumes.lock(ctx, r.GetSourceVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlockVolume()
	if existing, err := c.core.store.SnapshotNamed(r.GetName()); err == nil {
		unlock, err := c.snapshots.lock(ctx, existing.ID)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	return c.core.createSnapshot(ctx, r)
}

// DeleteSnapshot runs alone for its snapshot.
func (c *Controller) DeleteSnapshot(ctx context.Context, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
	unlock, err := c.snapshots.lock(ctx, r.GetSnapshotId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	return c.core.deleteSnapshot(ctx, r)
}

// ListSnapshots reads the records at one moment, and needs no lock.
func (c *Controller) ListSnapshots(ctx context.Context, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	return c.core.listSnapshots(ctx, r)
}

// GetSnapshot reads one record, and needs no lock.
func (c *Controller) GetSnapshot(ctx context.Context, r *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
	return c.core.getSnapshot(ctx, r)
}

// ValidateVolumeCapabilities reads one record, and needs no lock.
func (c *Controller) ValidateVolumeCapabilities(ctx context.Context, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	return c.core.validateVolumeCapabilities(ctx, r)
}

// ListVolumes reads the records at one moment, and needs no lock.
func (c *Controller) ListVolumes(ctx context.Context, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	return c.core.listVolumes(ctx, r)
}

// ControllerGetVolume reads the records at one moment, and needs no lock.
func (c *Controller) ControllerGetVolume(ctx context.Context, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
	return c.core.getVolume(ctx, r)
}

// ControllerGetVolumeHealth looks at one volume, and needs no lock.
func (c *Controller) ControllerGetVolumeHealth(ctx context.Context, r *csi.ControllerGetVolumeHealthRequest) (*csi.ControllerGetVolumeHealthResponse, error) {
	return c.core.getVolumeHealth(ctx, r)
}

// ControllerListVolumeHealth looks at volumes, and needs no lock.
func (c *Controller) ControllerListVolumeHealth(ctx context.Context, r *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
	return c.core.listVolumeHealth(ctx, r)
}

// GetCapacity reads the reservations, which have their own lock.
func (c *Controller) GetCapacity(ctx context.Context, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	return c.core.getCapacity(ctx, r)
}

// alone calls handle while no other call for the same volume is running.
func alone[Request interface{ GetVolumeId() string }, Response any](
	ctx context.Context, c *Controller, r Request, handle func(context.Context, Request) (Response, error),
) (Response, error) {
	unlock, err := c.volumes.lock(ctx, r.GetVolumeId())
	if err != nil {
		var none Response
		return none, err
	}
	defer unlock()
	return handle(ctx, r)
}

// controller does the work of Controller, one file per RPC. Calls for the same volume,
// snapshot or name must not overlap.
type controller struct {
	inventory         Inventory
	placement         *placement
	store             *record.Store
	volumes           volume.Provisioner
	kinds             []SupportedKind
	maxVolumesPerNode int64
	local             bool
}

// sizesOf returns the sizes that volumes of the kind may have.
func (c *controller) sizesOf(kind volume.Kind) Sizes {
	for _, supported := range c.kinds {
		if supported.Kind == kind {
			return supported.Sizes
		}
	}
	// A kind that was supported when the volume was created, and no longer is.
	return Sizes{}.orDefaults()
}

// kindOf returns the kind of a volume or snapshot that has a record.
func kindOf(id string) volume.Kind {
	kind, _ := volume.KindOf(id)
	return kind
}

// requirementFor reads the accessibility_requirements of a request.
func (c *controller) requirementFor(r *csi.TopologyRequirement) (known []topology.Segment, required topology.Requirement, err error) {
	known = c.inventory.Segments()
	required, err = requirementOf(known, r)
	return known, required, err
}
