package service

import (
	"context"
	"fmt"

	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/record"
)

// recover takes up where the records end. Each step that changes the disk is
// recorded before it is taken, and finished or undone here if the process ended
// in between, so there is nothing on disk to be looked for.
//
// A volume that cannot be dealt with now keeps its record and its capacity: the
// call that was cut off, repeated, tries again.
func (c *controller) recover(ctx context.Context) error {
	entries, _, err := c.store.Page("", 0, func(record.Volume) bool { return true })
	if err != nil {
		return fmt.Errorf("reading the records: %w", err)
	}
	for _, entry := range entries {
		c.placement.restore(entry.Volume)
	}
	for _, entry := range entries {
		if err := c.takeUp(ctx, entry.Volume); err != nil {
			klog.FromContext(ctx).Error(err, "leaving a volume as it is until it is asked for again",
				"volume", entry.ID, "name", entry.Name, "state", entry.State)
		}
	}
	return nil
}

func (c *controller) takeUp(ctx context.Context, v record.Volume) error {
	switch {
	case v.State != record.Ready:
		return c.discard(ctx, v)
	case v.GrowingTo > 0:
		_, err := c.finishGrowth(ctx, v)
		return err
	}
	return nil
}
