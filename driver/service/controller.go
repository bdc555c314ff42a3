package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// ControllerConfig is what a controller works with. All of it but the two last
// is required, and belongs to the controller from then on.
type ControllerConfig struct {
	// Inventory knows the nodes and the segments they are in.
	Inventory Inventory
	// Pools are empty books; the controller enters the volumes of its records.
	Pools *pool.Books
	// Store has the records of volumes and publications.
	Store *record.Store
	// Volumes makes, grows and removes what volumes are on disk.
	Volumes volume.Provisioner
	// Sizes are those that volumes may have.
	Sizes Sizes
	// MaxVolumesPerNode is how many volumes a node may have published; 0 is no limit.
	MaxVolumesPerNode int64
}

// Controller is the CSI Controller service for the whole cluster (central mode).
//
// It takes the locks, and leaves the work to a core that knows of none: calls
// for one volume, and calls to create one name, run one after the other; all
// others run at once. Whoever holds a name may take the volume's id besides, but
// not the other way round.
type Controller struct {
	csi.UnimplementedControllerServer
	core    *controller
	names   *keyedLock
	volumes *keyedLock
}

// NewController returns a controller that has taken up where its records end:
// the books are balanced, and what an earlier process left half done is undone
// or finished. ctx bounds that, and brings the logger.
func NewController(ctx context.Context, c ControllerConfig) (*Controller, error) {
	core := &controller{
		inventory:         c.Inventory,
		placement:         &placement{books: c.Pools},
		store:             c.Store,
		volumes:           c.Volumes,
		sizes:             c.Sizes.orDefaults(),
		maxVolumesPerNode: c.MaxVolumesPerNode,
	}
	if err := core.recover(ctx); err != nil {
		return nil, err
	}
	return &Controller{core: core, names: newKeyedLock(), volumes: newKeyedLock()}, nil
}

// CreateVolume runs alone for its name, and, where the name has a volume, for that.
func (c *Controller) CreateVolume(ctx context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	unlock, err := c.names.lock(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	defer unlock()
	// A volume that is not there yet needs no lock: until the name is let go,
	// nobody has been told the id it will get.
	if existing, err := c.core.store.VolumeNamed(r.GetName()); err == nil {
		unlock, err := c.volumes.lock(ctx, existing.ID)
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
	return alone(ctx, c, r, c.core.publishVolume)
}

// ControllerUnpublishVolume runs alone for its volume.
func (c *Controller) ControllerUnpublishVolume(ctx context.Context, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
	return alone(ctx, c, r, c.core.unpublishVolume)
}

// ControllerExpandVolume runs alone for its volume.
func (c *Controller) ControllerExpandVolume(ctx context.Context, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
	return alone(ctx, c, r, c.core.expandVolume)
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

// GetCapacity reads the books, which have their own lock.
func (c *Controller) GetCapacity(ctx context.Context, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	return c.core.getCapacity(ctx, r)
}

// alone calls handle while no other call for the same volume runs.
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

// controller does what Controller is asked, one file per RPC. Calls for the same
// volume or the same name must not overlap.
type controller struct {
	inventory         Inventory
	placement         *placement
	store             *record.Store
	volumes           volume.Provisioner
	sizes             Sizes
	maxVolumesPerNode int64
}
