// Package volume is what a volume is on disk and on a node. It knows nothing of
// segments, capacity or CSI requests: the services decide, this package does.
package volume

import (
	"context"
	"errors"
)

// ErrNotFound is returned for a volume that has nothing on disk.
var ErrNotFound = errors.New("volume not found on disk")

// Provisioner makes, grows and removes what a volume is on disk. Every call is
// idempotent, so that a caller that was cut off may repeat it.
type Provisioner interface {
	// Create makes the volume with room for the given number of bytes.
	Create(ctx context.Context, id string, bytes int64) error
	// Grow gives the volume room for the given number of bytes; it never shrinks.
	Grow(ctx context.Context, id string, bytes int64) error
	// Delete removes the volume; a volume that is not there is no error.
	Delete(ctx context.Context, id string) error
}

// StageOptions is how a volume is wanted at its staging path.
type StageOptions struct {
	// FSType is the file system, "xfs" when empty.
	FSType string
	// MountFlags are the mount options asked for.
	MountFlags []string
	// ReadOnly mounts without write access.
	ReadOnly bool
}

// Usage is what a mounted file system holds; sizes are in bytes.
type Usage struct {
	TotalBytes, UsedBytes, AvailableBytes    int64
	TotalInodes, UsedInodes, AvailableInodes int64
}

// Mounter brings a volume to paths of the node it runs on. Every call is idempotent.
type Mounter interface {
	// Stage mounts the volume at stagingPath, making a file system where there is none.
	Stage(ctx context.Context, id, stagingPath string, o StageOptions) error
	// Unstage unmounts stagingPath; a path that is not mounted is no error.
	Unstage(ctx context.Context, id, stagingPath string) error
	// Publish binds stagingPath to targetPath, which it creates.
	Publish(ctx context.Context, id, stagingPath, targetPath string, readOnly bool) error
	// Unpublish unbinds and removes targetPath; a path that is not there is no error.
	Unpublish(ctx context.Context, id, targetPath string) error
	// Expand grows the mounted file system to the size of the volume and returns that size in bytes.
	Expand(ctx context.Context, id, volumePath string) (int64, error)
	// Usage tells what the file system mounted at volumePath holds.
	Usage(ctx context.Context, id, volumePath string) (Usage, error)
}
