// SPDX-License-Identifier: Apache-2.0

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

// expandVolume makes the volume larger, published or not; the node then grows the file system. It returns OK if the
// volume is already large enough (CE-03), OUT_OF_RANGE if the volume cannot have such a size (CE-19), and
// RESOURCE_EXHAUSTED if one of its segments or the disk lacks the room; the next call may then ask for less.
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
	v, err := c.findUsableVolume(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	if v.GrowingTo > 0 {
		// An earlier call was cut off, or could not take back what it began.
		if v, err = c.takeBack(ctx, v); err != nil {
			return nil, failure(err)
		}
	}
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

// grow gives the volume the new size. As in create, the record is written before the disk is changed: whenever the
// process ends, a volume that may be larger than its recorded size has GrowingTo set, and counts as that large.
func (c *controller) grow(ctx context.Context, v record.Volume, bytes int64) (record.Volume, error) {
	if err := c.placement.grow(v.ID, bytes); err != nil {
		return v, status.Errorf(codes.ResourceExhausted, "volume %q cannot grow from %d to %d bytes: %v", v.ID, v.Bytes, bytes, err)
	}
	v.GrowingTo = bytes
	grown, err := c.makeGrown(ctx, v)
	if err != nil {
		return v, failureToTake(c.abandonGrowth(ctx, v, err))
	}
	return grown, nil
}

func (c *controller) makeGrown(ctx context.Context, v record.Volume) (record.Volume, error) {
	if err := c.store.Put(v); err != nil {
		return v, err
	}
	return c.finishGrowth(ctx, v)
}

// finishGrowth gives the volume on disk the size GrowingTo of its record.
func (c *controller) finishGrowth(ctx context.Context, v record.Volume) (record.Volume, error) {
	if err := c.volumes.Resize(ctx, v.ID, volume.Size{Bytes: v.GrowingTo, Allocated: v.Allocated}); err != nil {
		return v, fmt.Errorf("growing volume %q to %d bytes: %w", v.ID, v.GrowingTo, err)
	}
	v.Bytes, v.GrowingTo = v.GrowingTo, 0
	return v, c.store.Put(v)
}

// takeBack ends a growth that failed or was cut off. The part that is on disk already stays, and stays reserved, because
// a node may be using it: it can only be finished. The rest is released, and need not be requested again.
func (c *controller) takeBack(ctx context.Context, v record.Volume) (record.Volume, error) {
	defer c.reserveAsRecorded(v.ID)
	has, err := c.volumes.Size(ctx, v.ID)
	if err != nil {
		return v, fmt.Errorf("looking how far volume %q has grown to %d bytes: %w", v.ID, v.GrowingTo, err)
	}
	if has >= v.GrowingTo {
		return v, nil
	}
	v.GrowingTo = 0
	if has > v.Bytes {
		v.GrowingTo = has
	}
	return v, c.store.Put(v)
}

// abandonGrowth undoes a growth that failed, and returns the cause. Like abandon, it goes on after the end of the call.
// What it cannot undo stays reserved until the next expansion tries again, or the next start finishes it.
func (c *controller) abandonGrowth(ctx context.Context, v record.Volume, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	if _, err := c.takeBack(ctx, v); err != nil {
		return status.Errorf(status.Code(failureToTake(cause)), "%v; taking it back: %v", cause, err)
	}
	return cause
}
