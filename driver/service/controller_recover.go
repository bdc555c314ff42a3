// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"fmt"

	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/record"
)

// recover finishes or undoes the operations that are unfinished according to the records. Each change of the disk is
// recorded before it is made, so the disk need not be searched.
//
// A volume or snapshot for which that fails keeps its record and its capacity: when the interrupted call is repeated, it
// tries again.
func (c *controller) recover(ctx context.Context) error {
	entries, _, err := c.store.Page("", 0, func(record.Volume) bool { return true })
	if err != nil {
		return fmt.Errorf("reading the records: %w", err)
	}
	snapshots, _, err := c.store.SnapshotPage("", 0, func(record.Snapshot) bool { return true })
	if err != nil {
		return fmt.Errorf("reading the records: %w", err)
	}
	for _, entry := range entries {
		c.placement.restore(entry.Volume)
	}
	for _, s := range snapshots {
		c.placement.restoreSnapshot(s)
	}
	for _, entry := range entries {
		if err := c.finishOrUndo(ctx, entry.Volume); err != nil {
			klog.FromContext(ctx).Error(err, "leaving a volume as it is until the call for it is repeated",
				"volume", entry.ID, "name", entry.Name, "state", entry.State)
		}
	}
	for _, s := range snapshots {
		if s.State == record.Ready || s.GroupID != "" {
			continue
		}
		if err := c.discardSnapshot(ctx, s); err != nil {
			klog.FromContext(ctx).Error(err, "leaving a snapshot as it is until the call for it is repeated",
				"snapshot", s.ID, "name", s.Name, "state", s.State)
		}
	}
	return c.recoverGroups(ctx)
}

// recoverGroups removes the groups that are not ready.
func (c *controller) recoverGroups(ctx context.Context) error {
	ids, err := c.store.Groups()
	if err != nil {
		return fmt.Errorf("reading the records: %w", err)
	}
	for _, id := range ids {
		group, members, err := c.store.Group(id)
		if err != nil {
			return fmt.Errorf("reading the records: %w", err)
		}
		if group.State == record.Ready {
			continue
		}
		if err := c.discardGroup(ctx, group, members); err != nil {
			klog.FromContext(ctx).Error(err, "leaving a group snapshot as it is until the call for it is repeated",
				"group", group.ID, "name", group.Name, "state", group.State)
		}
	}
	return nil
}

// finishOrUndo finishes a growth that was cut off, and removes a volume that is not ready.
func (c *controller) finishOrUndo(ctx context.Context, v record.Volume) error {
	switch {
	case v.State != record.Ready:
		return c.discard(ctx, v)
	case v.GrowingTo > 0:
		_, err := c.finishGrowth(ctx, v)
		return err
	}
	return nil
}
