// SPDX-License-Identifier: Apache-2.0

// Package memory keeps volumes in this process only, for as long as it lives: they need
// no root and mount nothing.
package memory

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// Volumes holds volumes in memory, for as long as the process lives: they need no root and mount nothing. It serves all
// nodes at once, as the shared data directory does. A published volume is a directory or a file, which is empty unless a
// directory for data was given.
type Volumes struct {
	contents contents

	mu        sync.Mutex
	volumes   map[string]*memoryVolume
	snapshots map[string]volume.Size
}

type memoryVolume struct {
	size volume.Size
	// usable is the number of bytes that the file system or device has; staging sets it to the size of the volume.
	usable    int64
	staged    map[string]volume.StageOptions
	published map[string]volume.PublishOptions
}

var (
	_ volume.Provisioner = (*Volumes)(nil)
	_ volume.Mounter     = (*Volumes)(nil)
)

// New returns a Volumes without volumes, which hold no data.
func New() *Volumes {
	return NewIn("")
}

// NewIn returns a Volumes without volumes, whose data is in the directory: data written at one target path of a volume is
// at the others too, and in its copies.
func NewIn(dir string) *Volumes {
	return &Volumes{contents: contents(dir), volumes: map[string]*memoryVolume{}, snapshots: map[string]volume.Size{}}
}

// Create implements volume.Provisioner.
func (m *Volumes) Create(ctx context.Context, id string, size volume.Size, from volume.Origin) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, found := m.volumes[id]; found {
		if v.size.Bytes < size.Bytes {
			return fmt.Errorf("%w: volume %q has %d bytes and %d are wanted: grow it instead", volume.ErrIncompatible, id, v.size.Bytes, size.Bytes)
		}
		return nil
	}
	if err := m.checkOrigin(from); err != nil {
		return err
	}
	if err := m.keep(from.VolumeID); err != nil {
		return err
	}
	if err := m.contents.restore(ctx, from, id); err != nil {
		return fmt.Errorf("copying what is in %+v: %w", from, err)
	}
	m.volumes[id] = &memoryVolume{
		size:      size,
		staged:    map[string]volume.StageOptions{},
		published: map[string]volume.PublishOptions{},
	}
	return nil
}

// checkOrigin returns volume.ErrNotFound if the origin is set and does not exist.
func (m *Volumes) checkOrigin(from volume.Origin) error {
	if from.SnapshotID != "" {
		if _, found := m.snapshots[from.SnapshotID]; !found {
			return fmt.Errorf("%w: no snapshot is called %q", volume.ErrNotFound, from.SnapshotID)
		}
	}
	if from.VolumeID != "" {
		_, err := m.find(from.VolumeID)
		return err
	}
	return nil
}

// Resize implements volume.Provisioner.
func (m *Volumes) Resize(_ context.Context, id string, size volume.Size) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	v.size = volume.Size{Bytes: max(v.size.Bytes, size.Bytes), Allocated: v.size.Allocated || size.Allocated}
	return nil
}

// Size implements volume.Provisioner.
func (m *Volumes) Size(_ context.Context, id string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return 0, err
	}
	return v.size.Bytes, nil
}

// Delete forgets the volume; its target paths stay until they are unpublished.
func (m *Volumes) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.volumes, id)
	return m.contents.remove(ofVolumes, id)
}

// CreateSnapshot implements volume.Provisioner.
func (m *Volumes) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, found := m.snapshots[id]; found {
		return nil
	}
	v, err := m.find(volumeID)
	if err != nil {
		return err
	}
	if err := m.keep(volumeID); err != nil {
		return err
	}
	if err := m.contents.copy(ctx, ofVolumes, volumeID, ofSnapshots, id); err != nil {
		return fmt.Errorf("copying what is in volume %q: %w", volumeID, err)
	}
	m.snapshots[id] = v.size
	return nil
}

// DeleteSnapshot implements volume.Provisioner.
func (m *Volumes) DeleteSnapshot(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.snapshots, id)
	return m.contents.remove(ofSnapshots, id)
}

// Ranges implements volume.Provisioner. A snapshot of a volume that was never a raw block device has no ranges.
func (m *Volumes) Ranges(ctx context.Context, id, baseID string, from int64, found func(volume.Range) error) error {
	m.mu.Lock()
	_, known := m.snapshots[id]
	_, knownBase := m.snapshots[baseID]
	m.mu.Unlock()
	if !known || baseID != "" && !knownBase {
		return fmt.Errorf("%w: no snapshot is called %q, or none %q", volume.ErrNotFound, id, baseID)
	}
	return m.contents.ranges(ctx, id, baseID, from, found)
}

// Check reports a lost volume: all volumes are lost when the process ends.
func (m *Volumes) Check(_ context.Context, id string, size volume.Size) ([]volume.Problem, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return []volume.Problem{{Severity: volume.DataLoss, Reason: "VolumeMissing", Message: "the volume is no longer in memory: delete it, and restore it from a snapshot"}}, nil
	}
	if v.size.Bytes < size.Bytes {
		return []volume.Problem{{
			Severity: volume.DataLoss, Reason: "VolumeTruncated",
			Message: fmt.Sprintf("the volume has %d bytes and should have %d", v.size.Bytes, size.Bytes),
		}}, nil
	}
	return nil, nil
}

// IDs returns the ids of all volumes, in no order.
func (m *Volumes) IDs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]string, 0, len(m.volumes))
	for id := range m.volumes {
		ids = append(ids, id)
	}
	return ids
}

// SnapshotIDs returns the ids of all snapshots, in no order.
func (m *Volumes) SnapshotIDs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]string, 0, len(m.snapshots))
	for id := range m.snapshots {
		ids = append(ids, id)
	}
	return ids
}

func (m *Volumes) find(id string) (*memoryVolume, error) {
	v, found := m.volumes[id]
	if !found {
		return nil, fmt.Errorf("%w: no volume is called %q", volume.ErrNotFound, id)
	}
	return v, nil
}

// Stage remembers that the volume is staged at the path, which must be a directory.
func (m *Volumes) Stage(_ context.Context, id, stagingPath string, o volume.StageOptions) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	if info, err := os.Stat(stagingPath); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: the staging path must be a directory that the caller created: %s is none", volume.ErrInvalid, stagingPath)
	}
	present, staged := v.staged[stagingPath]
	if staged && (present.Block != o.Block || present.FSType != o.FSType || present.ReadOnly != o.ReadOnly) {
		return fmt.Errorf("%w: volume %q is staged at %s with file system %q (block: %t, read-only: %t), requested: %q (block: %t, read-only: %t): unstage it first",
			volume.ErrIncompatible, id, stagingPath, present.FSType, present.Block, present.ReadOnly, o.FSType, o.Block, o.ReadOnly)
	}
	v.staged[stagingPath] = o
	v.usable = v.size.Bytes
	return nil
}

// Unstage forgets that the volume is staged at the path; volume.ErrNotFound for an unknown volume.
func (m *Volumes) Unstage(_ context.Context, id, stagingPath string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	delete(v.staged, stagingPath)
	return nil
}

// Publish makes the target path, in a directory of the caller.
func (m *Volumes) Publish(_ context.Context, id, stagingPath, targetPath string, o volume.PublishOptions) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	staged, found := v.staged[stagingPath]
	if !found {
		return fmt.Errorf("%w: volume %q is not staged at %s: stage it first", volume.ErrRefused, id, stagingPath)
	}
	if staged.Block != o.Block {
		return fmt.Errorf("%w: volume %q is staged at %s (block: %t), requested: block: %t: unstage it first", volume.ErrRefused, id, stagingPath, staged.Block, o.Block)
	}
	if present, published := v.published[targetPath]; published && present != o {
		return fmt.Errorf("%w: volume %q is published at %s (read-only: %t), requested: read-only: %t: unpublish it first",
			volume.ErrIncompatible, id, targetPath, present.ReadOnly, o.ReadOnly)
	}
	if err := m.keep(id); err != nil {
		return err
	}
	if err := m.contents.publish(id, targetPath, o.Block, v.usable); err != nil {
		return fmt.Errorf("making the target path: %w", err)
	}
	v.published[targetPath] = o
	return nil
}

// Unpublish removes the target path, but never content that is not the volume's, nor a path of another volume. It returns
// volume.ErrNotFound for an unknown volume, and removes its empty target nevertheless.
func (m *Volumes) Unpublish(_ context.Context, id, targetPath string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, known := m.volumes[id]
	if !m.othersAt(id, targetPath) {
		if err := m.removeTarget(id, targetPath); err != nil {
			return fmt.Errorf("removing the target path: %w", err)
		}
	}
	if !known {
		return fmt.Errorf("%w: no volume is called %q", volume.ErrNotFound, id)
	}
	delete(v.published, targetPath)
	return nil
}

// keep adds the files at the volume's target paths to the volume.
func (m *Volumes) keep(id string) error {
	v, known := m.volumes[id]
	if !known {
		return nil
	}
	for path, o := range v.published {
		if o.Block {
			continue
		}
		if err := m.contents.keep(id, path); err != nil {
			return fmt.Errorf("keeping what was written at %s: %w", path, err)
		}
	}
	return nil
}

// removeTarget removes the target path, and its content only if the volume is published there.
func (m *Volumes) removeTarget(id, targetPath string) error {
	if v, known := m.volumes[id]; known {
		if o, published := v.published[targetPath]; published {
			return m.contents.unpublish(id, targetPath, o.Block)
		}
	}
	return removeTarget(targetPath, false)
}

// othersAt reports whether another volume is staged or published at the path.
func (m *Volumes) othersAt(id, path string) bool {
	for other := range m.volumes {
		if other == id {
			continue
		}
		if _, _, err := m.at(other, path); err == nil {
			return true
		}
	}
	return false
}

// Expand gives the file system or the device the size of the volume.
func (m *Volumes) Expand(_ context.Context, id, volumePath string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, _, err := m.at(id, volumePath)
	if err != nil {
		return 0, err
	}
	v.usable = v.size.Bytes
	return v.size.Bytes, m.contents.grow(id, v.usable)
}

// Usage returns the size of the file system, all of which is free, or of the device.
func (m *Volumes) Usage(_ context.Context, id, volumePath string) (volume.Usage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, block, err := m.at(id, volumePath)
	if err != nil {
		return volume.Usage{}, err
	}
	if block {
		return volume.Usage{Block: true, TotalBytes: v.usable}, nil
	}
	return volume.Usage{TotalBytes: v.usable, AvailableBytes: v.usable}, nil
}

// CheckAt finds no problems: volumes in memory are always at their paths.
func (m *Volumes) CheckAt(_ context.Context, id, _, _ string) ([]volume.Problem, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := m.find(id)
	return nil, err
}

// CheckStorage finds no problems.
func (m *Volumes) CheckStorage(context.Context) ([]volume.Problem, error) { return nil, nil }

// at returns the volume that is staged or published at the path, or volume.ErrNotFound.
func (m *Volumes) at(id, path string) (v *memoryVolume, block bool, err error) {
	if v, err = m.find(id); err != nil {
		return nil, false, err
	}
	if o, staged := v.staged[path]; staged {
		return v, o.Block, nil
	}
	if o, published := v.published[path]; published {
		return v, o.Block, nil
	}
	return nil, false, fmt.Errorf("%w: volume %q is neither staged nor published at %s", volume.ErrNotFound, id, path)
}
