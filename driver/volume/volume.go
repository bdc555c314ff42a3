// SPDX-License-Identifier: Apache-2.0

// Package volume implements volumes on disk and on nodes. It does not know segments, capacity or CSI requests: the
// services decide, and this package executes.
package volume

import (
	"context"
	"slices"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// Size is the size of a volume.
type Size struct {
	// Bytes is the capacity of the volume for data.
	Bytes int64
	// Allocated allocates all blocks on disk at once, instead of when they are first written. Allocated blocks stay
	// allocated.
	Allocated bool
}

// Origin is the source that a new volume is copied from: a volume or a snapshot of the same kind. The zero Origin means
// that the volume begins empty.
type Origin struct {
	VolumeID   string
	SnapshotID string
}

// Provisioner makes, copies, grows and removes volumes and snapshots on disk. Every call is idempotent, so that an
// interrupted caller may repeat it, and Delete or DeleteSnapshot removes the remains of a failed call.
type Provisioner interface {
	// Create makes the volume with room for the size and with the content of the origin, if there is one. It returns
	// ErrNotFound if the origin does not exist, and ErrRefused if it is in use and cannot be copied at one moment. It keeps
	// an existing volume with enough room, and otherwise returns ErrIncompatible.
	Create(ctx context.Context, id string, size Size, from Origin) error
	// Resize gives the volume room for the size, and allocates it if requested; it never shrinks a volume.
	Resize(ctx context.Context, id string, size Size) error
	// Size returns the number of bytes that the volume has on disk, which after a Resize that
	// failed may be more than before it. It returns ErrNotFound if the volume does not exist.
	Size(ctx context.Context, id string) (int64, error)
	// Delete removes the volume. It succeeds if it does not exist.
	Delete(ctx context.Context, id string) error
	// CreateSnapshot keeps the current content of the volume. It returns ErrNotFound if the volume does not exist, and
	// ErrRefused if it is in use and cannot be copied at one moment.
	CreateSnapshot(ctx context.Context, id, volumeID string) error
	// DeleteSnapshot removes the snapshot. It succeeds if it does not exist.
	DeleteSnapshot(ctx context.Context, id string) error
	// Ranges calls found with the written ranges of the snapshot or, with a base, with the ranges that differ from that
	// snapshot. They are in order, do not touch, and do not end before from. It ends with the error of found, or returns
	// ErrNotFound if a snapshot does not exist, or ErrInvalid if the kind has no blocks.
	Ranges(ctx context.Context, id, baseID string, from int64, found func(Range) error) error
	// Check returns the problems of a volume that should have the size; nil means none.
	Check(ctx context.Context, id string, size Size) ([]Problem, error)
}

// StageOptions describes how to stage a volume.
type StageOptions struct {
	// Block requests the volume as a raw block device, without a file system.
	Block bool
	// FSType is the file system; if empty, it depends on the kind of volume.
	FSType string
	// MountFlags are the requested mount options.
	MountFlags []string
	// ReadOnly mounts the volume without write access.
	ReadOnly bool
}

// PublishOptions describes how to publish a staged volume.
type PublishOptions struct {
	// Block must be as in StageOptions.
	Block bool
	// ReadOnly gives no write access at this path.
	ReadOnly bool
}

// Usage is the usage of a mounted file system; sizes are in bytes. For a block device, only
// TotalBytes is known, and the rest is 0.
type Usage struct {
	Block                                    bool
	TotalBytes, UsedBytes, AvailableBytes    int64
	TotalInodes, UsedInodes, AvailableInodes int64
}

// MounterConfig is the configuration of a mounter on its node.
type MounterConfig struct {
	// DataDir is the path of the data directory on this node.
	DataDir string
	// NodeID is the node's id, by which a mounter recognizes its own loop devices if several
	// nodes share one kernel.
	NodeID string
	// Watch is notified of every step that outlives the process; nil does nothing.
	Watch durable.Watch
}

// Mounter mounts volumes at paths of the node it runs on. Every call is idempotent.
type Mounter interface {
	// Stage mounts the volume at stagingPath. It makes a file system if there is none, and grows one that is smaller than
	// the volume. For a block volume, the device is put there.
	Stage(ctx context.Context, id, stagingPath string, o StageOptions) error
	// Unstage unmounts the volume from stagingPath. It succeeds if the volume is not there.
	Unstage(ctx context.Context, id, stagingPath string) error
	// Publish bind-mounts stagingPath at targetPath, a directory or, for a block volume, a file, which it creates.
	Publish(ctx context.Context, id, stagingPath, targetPath string, o PublishOptions) error
	// Unpublish unmounts and removes targetPath. It succeeds if the path does not exist.
	Unpublish(ctx context.Context, id, targetPath string) error
	// Expand grows the mounted file system, or the block device, to the size of the
	// volume and returns that size in bytes.
	Expand(ctx context.Context, id, volumePath string) (int64, error)
	// Usage returns the usage of the volume at volumePath.
	Usage(ctx context.Context, id, volumePath string) (Usage, error)
	// CheckAt returns the problems of the volume on this node; nil means none. A path that is not empty is one where the
	// volume was, or should be, staged or published.
	CheckAt(ctx context.Context, id, stagingPath, targetPath string) ([]Problem, error)
	// CheckStorage returns the problems of the storage that this node sees.
	CheckStorage(ctx context.Context) ([]Problem, error)
}

// Severity is the severity of a problem.
type Severity int

const (
	// Degraded means usable, but impaired.
	Degraded Severity = iota + 1
	// Inaccessible means unusable.
	Inaccessible
	// DataLoss means that data is lost permanently.
	DataLoss
)

// Problem is a problem of a volume or of storage.
type Problem struct {
	Severity Severity
	// Reason is in CamelCase, for programs, and unique among the problems of one result.
	Reason string
	// Message is for users, and includes a remedy.
	Message string
}

// Distinct keeps the first problem of each reason.
func Distinct(problems []Problem) []Problem {
	var kept []Problem
	for _, p := range problems {
		if !slices.ContainsFunc(kept, func(k Problem) bool { return k.Reason == p.Reason }) {
			kept = append(kept, p)
		}
	}
	return kept
}
