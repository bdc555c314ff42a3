// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Provisioners pass each call to the provisioner for the kind of the volume or snapshot. They return ErrNotFound for an
// id of any other kind.
type Provisioners map[Kind]Provisioner

// Mounters pass each call to the mounter for the kind of the volume, as Provisioners do.
type Mounters map[Kind]Mounter

var (
	_ Provisioner = Provisioners(nil)
	_ Mounter     = Mounters(nil)
)

// of returns the implementation for the kind of the id.
func of[T any](kinds map[Kind]T, id string) (T, error) {
	kind, _ := KindOf(id)
	served, known := kinds[kind]
	if !known {
		return served, fmt.Errorf("%w: no volume is called %q", ErrNotFound, id)
	}
	return served, nil
}

// do calls the implementation for the kind of the id.
func do[T any](kinds map[Kind]T, id string, call func(T) error) error {
	served, err := of(kinds, id)
	if err != nil {
		return err
	}
	return call(served)
}

// ask returns the result of the implementation for the kind of the id.
func ask[T, A any](kinds map[Kind]T, id string, call func(T) (A, error)) (answer A, err error) {
	served, err := of(kinds, id)
	if err != nil {
		return answer, err
	}
	return call(served)
}

// Create implements Provisioner.
func (p Provisioners) Create(ctx context.Context, id string, size Size, from Origin) error {
	return do(p, id, func(v Provisioner) error { return v.Create(ctx, id, size, from) })
}

// Resize implements Provisioner.
func (p Provisioners) Resize(ctx context.Context, id string, size Size) error {
	return do(p, id, func(v Provisioner) error { return v.Resize(ctx, id, size) })
}

// Size implements Provisioner.
func (p Provisioners) Size(ctx context.Context, id string) (int64, error) {
	return ask(p, id, func(v Provisioner) (int64, error) { return v.Size(ctx, id) })
}

// Delete implements Provisioner.
func (p Provisioners) Delete(ctx context.Context, id string) error {
	volumes, err := of(p, id)
	if err != nil {
		return nil // no volume can have this id, so nothing has to be removed
	}
	return volumes.Delete(ctx, id)
}

// CreateSnapshot implements Provisioner.
func (p Provisioners) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	return do(p, id, func(v Provisioner) error { return v.CreateSnapshot(ctx, id, volumeID) })
}

// DeleteSnapshot implements Provisioner.
func (p Provisioners) DeleteSnapshot(ctx context.Context, id string) error {
	snapshots, err := of(p, id)
	if err != nil {
		return nil // no snapshot can have this id, so nothing has to be removed
	}
	return snapshots.DeleteSnapshot(ctx, id)
}

// Ranges implements Provisioner.
func (p Provisioners) Ranges(ctx context.Context, id, baseID string, from int64, found func(Range) error) error {
	return do(p, id, func(v Provisioner) error { return v.Ranges(ctx, id, baseID, from, found) })
}

// Check implements Provisioner.
func (p Provisioners) Check(ctx context.Context, id string, size Size) ([]Problem, error) {
	return ask(p, id, func(v Provisioner) ([]Problem, error) { return v.Check(ctx, id, size) })
}

// Stage implements Mounter.
func (m Mounters) Stage(ctx context.Context, id, stagingPath string, o StageOptions) error {
	return do(m, id, func(v Mounter) error { return v.Stage(ctx, id, stagingPath, o) })
}

// Unstage implements Mounter.
func (m Mounters) Unstage(ctx context.Context, id, stagingPath string) error {
	return do(m, id, func(v Mounter) error { return v.Unstage(ctx, id, stagingPath) })
}

// Publish implements Mounter.
func (m Mounters) Publish(ctx context.Context, id, stagingPath, targetPath string, o PublishOptions) error {
	return do(m, id, func(v Mounter) error { return v.Publish(ctx, id, stagingPath, targetPath, o) })
}

// Unpublish implements Mounter.
func (m Mounters) Unpublish(ctx context.Context, id, targetPath string) error {
	return do(m, id, func(v Mounter) error { return v.Unpublish(ctx, id, targetPath) })
}

// Expand implements Mounter.
func (m Mounters) Expand(ctx context.Context, id, volumePath string) (int64, error) {
	return ask(m, id, func(v Mounter) (int64, error) { return v.Expand(ctx, id, volumePath) })
}

// Usage implements Mounter.
func (m Mounters) Usage(ctx context.Context, id, volumePath string) (Usage, error) {
	return ask(m, id, func(v Mounter) (Usage, error) { return v.Usage(ctx, id, volumePath) })
}

// CheckAt implements Mounter.
func (m Mounters) CheckAt(ctx context.Context, id, stagingPath, targetPath string) ([]Problem, error) {
	return ask(m, id, func(v Mounter) ([]Problem, error) { return v.CheckAt(ctx, id, stagingPath, targetPath) })
}

// CheckStorage calls the mounters of all kinds.
func (m Mounters) CheckStorage(ctx context.Context) ([]Problem, error) {
	var found []Problem
	var failed error
	for _, kind := range slices.Sorted(maps.Keys(m)) {
		problems, err := m[kind].CheckStorage(ctx)
		found = append(found, problems...)
		failed = errors.Join(failed, err)
	}
	return Distinct(found), failed // they may share the data directory
}
