package volume

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Memory are volumes that are only remembered, for as long as the process lives:
// they need no root and no disk, and hold no data. Published, one is an empty
// directory. It stands for all nodes at once, as the shared data directory does.
type Memory struct {
	mu      sync.Mutex
	volumes map[string]*memoryVolume
}

type memoryVolume struct {
	bytes int64
	// fileSystem is how much of the bytes the file system has; staging gives it all.
	fileSystem int64
	staged     map[string]StageOptions
	published  map[string]bool // target path -> read-only
}

var (
	_ Provisioner = (*Memory)(nil)
	_ Mounter     = (*Memory)(nil)
)

// NewMemory returns a Memory without volumes.
func NewMemory() *Memory {
	return &Memory{volumes: map[string]*memoryVolume{}}
}

// Create remembers a volume. One that is there already is kept if it has at
// least the given number of bytes, and ErrIncompatible otherwise.
func (m *Memory) Create(_ context.Context, id string, bytes int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, found := m.volumes[id]; found {
		if v.bytes < bytes {
			return fmt.Errorf("%w: volume %q has %d bytes and %d are wanted: grow it instead", ErrIncompatible, id, v.bytes, bytes)
		}
		return nil
	}
	m.volumes[id] = &memoryVolume{
		bytes:     bytes,
		staged:    map[string]StageOptions{},
		published: map[string]bool{},
	}
	return nil
}

// Grow makes the volume larger; one that is large enough is left alone.
func (m *Memory) Grow(_ context.Context, id string, bytes int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	v.bytes = max(v.bytes, bytes)
	return nil
}

// Delete forgets the volume; its target directories stay until they are unpublished.
func (m *Memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.volumes, id)
	return nil
}

// IDs returns the ids of the volumes there are, in no order.
func (m *Memory) IDs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]string, 0, len(m.volumes))
	for id := range m.volumes {
		ids = append(ids, id)
	}
	return ids
}

func (m *Memory) find(id string) (*memoryVolume, error) {
	v, found := m.volumes[id]
	if !found {
		return nil, fmt.Errorf("%w: no volume is called %q", ErrNotFound, id)
	}
	return v, nil
}

// Stage remembers that the volume is staged at the path, which must be a directory.
func (m *Memory) Stage(_ context.Context, id, stagingPath string, o StageOptions) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	if info, err := os.Stat(stagingPath); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: the staging path must be a directory that the caller made: %s is none", ErrInvalid, stagingPath)
	}
	if present, staged := v.staged[stagingPath]; staged && (present.FSType != o.FSType || present.ReadOnly != o.ReadOnly) {
		return fmt.Errorf("%w: volume %q is staged at %s with file system %q (read-only: %t), asked is %q (read-only: %t): unstage it first",
			ErrIncompatible, id, stagingPath, present.FSType, present.ReadOnly, o.FSType, o.ReadOnly)
	}
	v.staged[stagingPath] = o
	v.fileSystem = v.bytes
	return nil
}

// Unstage forgets that the volume is staged at the path; ErrNotFound for a
// volume that is not known.
func (m *Memory) Unstage(_ context.Context, id, stagingPath string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	delete(v.staged, stagingPath)
	return nil
}

// Publish makes the target path, a directory whose parent is the caller's.
func (m *Memory) Publish(_ context.Context, id, stagingPath, targetPath string, readOnly bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.find(id)
	if err != nil {
		return err
	}
	if _, staged := v.staged[stagingPath]; !staged {
		return fmt.Errorf("%w: volume %q is not staged at %s: stage it first", ErrRefused, id, stagingPath)
	}
	if present, published := v.published[targetPath]; published && present != readOnly {
		return fmt.Errorf("%w: volume %q is published at %s (read-only: %t), asked is read-only: %t: unpublish it first",
			ErrIncompatible, id, targetPath, present, readOnly)
	}
	if err := os.Mkdir(targetPath, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the target path: %w", err)
	}
	v.published[targetPath] = readOnly
	return nil
}

// Unpublish removes the target path, but never what is in it. ErrNotFound for a
// volume that is not known, whose target path is removed all the same.
func (m *Memory) Unpublish(_ context.Context, id, targetPath string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := unix.Rmdir(targetPath); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("removing the directory %s: %w", targetPath, err)
	}
	v, err := m.find(id)
	if err != nil {
		return err
	}
	delete(v.published, targetPath)
	return nil
}

// Expand gives the file system the size of the volume.
func (m *Memory) Expand(_ context.Context, id, volumePath string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.at(id, volumePath)
	if err != nil {
		return 0, err
	}
	v.fileSystem = v.bytes
	return v.bytes, nil
}

// Usage tells the size of the file system, all of which is free.
func (m *Memory) Usage(_ context.Context, id, volumePath string) (Usage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := m.at(id, volumePath)
	if err != nil {
		return Usage{}, err
	}
	return Usage{TotalBytes: v.fileSystem, AvailableBytes: v.fileSystem}, nil
}

// at returns the volume that is staged or published at the path, or ErrNotFound.
func (m *Memory) at(id, path string) (*memoryVolume, error) {
	v, err := m.find(id)
	if err != nil {
		return nil, err
	}
	_, staged := v.staged[path]
	_, published := v.published[path]
	if !staged && !published {
		return nil, fmt.Errorf("%w: volume %q is neither staged nor published at %s", ErrNotFound, id, path)
	}
	return v, nil
}
