// SPDX-License-Identifier: Apache-2.0

// Package volume implements volumes on disk and on a node. It knows nothing about segments,
// capacity or CSI requests: the services decide, and this package executes.
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
	// Allocated takes all of its blocks on disk at once, instead of when they are first
	// written. What is allocated stays so.
	Allocated bool
}

// Origin is the source that a new volume is copied from: a volume or a snapshot of the same
// kind. The zero Origin is nothing: the volume begins empty.
type Origin struct {
	VolumeID   string
	SnapshotID string
}

// Provisioner makes, copies, grows and removes what volumes and snapshots are on
// disk. Every call is idempotent, so that a caller that was cut off may repeat it,
// and what a call that failed leaves is removed by Delete or DeleteSnapshot.
type Provisioner interface {
	// Create makes the volume with room for the size and, where there is an origin,
	// with the content of that. ErrNotFound if the origin is not there, ErrRefused
	// if it is in use and cannot be copied as it is at one moment. A volume that is
	// there already is kept if it has the room, and ErrIncompatible otherwise.
	Create(ctx context.Context, id string, size Size, from Origin) error
	// Resize gives the volume room for the size, and allocates it where asked; it never shrinks.
	Resize(ctx context.Context, id string, size Size) error
	// Size returns the number of bytes that the volume has on disk, which after a Resize that
	// failed may be more than before it. It returns ErrNotFound if the volume does not exist.
	Size(ctx context.Context, id string) (int64, error)
	// Delete removes the volume. It succeeds if it does not exist.
	Delete(ctx context.Context, id string) error
	// CreateSnapshot keeps what the volume holds at this moment. It returns ErrNotFound
	// if the volume does not exist, ErrRefused if it is in use and cannot be copied as
	// it is at one moment.
	CreateSnapshot(ctx context.Context, id, volumeID string) error
	// DeleteSnapshot removes the snapshot. It succeeds if it does not exist.
	DeleteSnapshot(ctx context.Context, id string) error
	// Ranges calls found with the ranges of the snapshot, in their order and apart from
	// each other, that were written to; with a base, the ranges that differ from that
	// snapshot. None ends before from. It ends with the error of found, or returns
	// ErrNotFound if a snapshot does not exist, or ErrInvalid if the kind has no
	// blocks.
	Ranges(ctx context.Context, id, baseID string, from int64, found func(Range) error) error
	// Check looks for what is wrong with a volume that should have that room; nil is nothing.
	Check(ctx context.Context, id string, size Size) ([]Problem, error)
}

// StageOptions describes how a volume is wanted at its staging path.
type StageOptions struct {
	// Block requests the volume as a raw block device, without a file system.
	Block bool
	// FSType is the file system; when empty, it depends on the kind of volume.
	FSType string
	// MountFlags are the requested mount options.
	MountFlags []string
	// ReadOnly mounts the volume without write access.
	ReadOnly bool
}

// PublishOptions describes how a staged volume is wanted at a target path.
type PublishOptions struct {
	// Block is as it was staged.
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

// MounterConfig is what a mounter knows about where it runs.
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
	// Stage mounts the volume at stagingPath, making a file system where there is
	// none and giving one that is smaller than the volume all of its room. A block
	// volume gets its device there.
	Stage(ctx context.Context, id, stagingPath string, o StageOptions) error
	// Unstage takes the volume from stagingPath. It succeeds if the volume is not
	// there.
	Unstage(ctx context.Context, id, stagingPath string) error
	// Publish binds stagingPath to targetPath, a directory or, of a block volume, a
	// file, which it creates.
	Publish(ctx context.Context, id, stagingPath, targetPath string, o PublishOptions) error
	// Unpublish unbinds and removes targetPath. It succeeds if the path does not exist.
	Unpublish(ctx context.Context, id, targetPath string) error
	// Expand grows the mounted file system, or the block device, to the size of the
	// volume and returns that size in bytes.
	Expand(ctx context.Context, id, volumePath string) (int64, error)
	// Usage returns the usage of the volume at volumePath.
	Usage(ctx context.Context, id, volumePath string) (Usage, error)
	// CheckAt looks for what is wrong with the volume on this node; a path that is
	// not empty is one where it was, or should be, staged or published. nil is nothing.
	CheckAt(ctx context.Context, id, stagingPath, targetPath string) ([]Problem, error)
	// CheckStorage looks for what is wrong with the storage that this node sees.
	CheckStorage(ctx context.Context) ([]Problem, error)
}

// Severity says how bad a problem is.
type Severity int

const (
	// Degraded means usable, but not as it should be.
	Degraded Severity = iota + 1
	// Inaccessible cannot be used.
	Inaccessible
	// DataLoss has lost data for good.
	DataLoss
)

// Problem is something that is wrong with a volume or with storage.
type Problem struct {
	Severity Severity
	// Reason is in CamelCase, for programs; no two problems of one answer have the same.
	Reason string
	// Message is for people, and says what to do.
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
