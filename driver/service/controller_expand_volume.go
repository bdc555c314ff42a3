package service

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// expandVolume makes the volume larger, published or not; the node then grows
// the file system. A volume that is large enough is OK (CE-03). It answers
// OUT_OF_RANGE if the volume cannot have such a size (CE-19), and
// RESOURCE_EXHAUSTED if one of its segments lacks the room; then the volume
// stays as it was.
func (c *controller) expandVolume(ctx context.Context, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if r.GetCapacityRange() == nil {
		return nil, status.Error(codes.InvalidArgument, "capacity_range is required and was empty")
	}
	if r.GetVolumeCapability() != nil {
		if err := checkCapability(kindOf(r.GetVolumeId()), r.GetVolumeCapability()); err != nil {
			return nil, err
		}
	}
	v, err := c.usable(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	// A growth that was cut off may be on disk already: it can only be finished.
	bytes, err := c.sizesOf(kindOf(v.ID)).grown(v.Reserved(), r.GetCapacityRange())
	if err != nil {
		return nil, err
	}
	if bytes > v.Bytes {
		if v, err = c.grow(ctx, v, bytes); err != nil {
			return nil, err
		}
	}
	return &csi.ControllerExpandVolumeResponse{CapacityBytes: v.Bytes, NodeExpansionRequired: true}, nil
}

// grow gives the volume that size. As in create, what happens on disk is
// recorded before: whenever the process ends, a volume that may be larger than
// it says is one that GrowingTo says so of, and counts as that large.
func (c *controller) grow(ctx context.Context, v record.Volume, bytes int64) (record.Volume, error) {
	if err := c.placement.grow(v.ID, bytes); err != nil {
		return v, status.Errorf(codes.ResourceExhausted, "volume %q cannot grow from %d to %d bytes: %v", v.ID, v.Bytes, bytes, err)
	}
	growing := v
	growing.GrowingTo = bytes
	if err := c.store.Put(growing); err != nil {
		c.settle(v.ID)
		return v, failureToTake(err)
	}
	grown, err := c.finishGrowth(ctx, growing)
	return grown, failureToTake(err)
}

// finishGrowth makes the volume on disk as large as it is recorded to become.
func (c *controller) finishGrowth(ctx context.Context, v record.Volume) (record.Volume, error) {
	if err := c.volumes.Resize(ctx, v.ID, volume.Size{Bytes: v.GrowingTo, Allocated: v.Allocated}); err != nil {
		return v, fmt.Errorf("growing volume %q to %d bytes: %w", v.ID, v.GrowingTo, err)
	}
	v.Bytes, v.GrowingTo = v.GrowingTo, 0
	return v, c.store.Put(v)
}
