// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Mounters leave each volume to the mounter of its kind.
type Mounters map[Kind]Mounter

var _ Mounter = Mounters(nil)

func (m Mounters) of(id string) (Mounter, error) {
	kind, _ := KindOf(id)
	found, known := m[kind]
	if !known {
		return nil, fmt.Errorf("%w: no volume is called %q", ErrNotFound, id)
	}
	return found, nil
}

// Stage implements Mounter.
func (m Mounters) Stage(ctx context.Context, id, stagingPath string, o StageOptions) error {
	volumes, err := m.of(id)
	if err != nil {
		return err
	}
	return volumes.Stage(ctx, id, stagingPath, o)
}

// Unstage implements Mounter.
func (m Mounters) Unstage(ctx context.Context, id, stagingPath string) error {
	volumes, err := m.of(id)
	if err != nil {
		return err
	}
	return volumes.Unstage(ctx, id, stagingPath)
}

// Publish implements Mounter.
func (m Mounters) Publish(ctx context.Context, id, stagingPath, targetPath string, o PublishOptions) error {
	volumes, err := m.of(id)
	if err != nil {
		return err
	}
	return volumes.Publish(ctx, id, stagingPath, targetPath, o)
}

// Unpublish implements Mounter.
func (m Mounters) Unpublish(ctx context.Context, id, targetPath string) error {
	volumes, err := m.of(id)
	if err != nil {
		return err
	}
	return volumes.Unpublish(ctx, id, targetPath)
}

// Expand implements Mounter.
func (m Mounters) Expand(ctx context.Context, id, volumePath string) (int64, error) {
	volumes, err := m.of(id)
	if err != nil {
		return 0, err
	}
	return volumes.Expand(ctx, id, volumePath)
}

// Usage implements Mounter.
func (m Mounters) Usage(ctx context.Context, id, volumePath string) (Usage, error) {
	volumes, err := m.of(id)
	if err != nil {
		return Usage{}, err
	}
	return volumes.Usage(ctx, id, volumePath)
}

// CheckAt implements Mounter.
func (m Mounters) CheckAt(ctx context.Context, id, stagingPath, targetPath string) ([]Problem, error) {
	volumes, err := m.of(id)
	if err != nil {
		return nil, err
	}
	return volumes.CheckAt(ctx, id, stagingPath, targetPath)
}

// CheckStorage asks the mounters of all kinds.
func (m Mounters) CheckStorage(ctx context.Context) ([]Problem, error) {
	var found []Problem
	var failed error
	for _, kind := range slices.Sorted(maps.Keys(m)) {
		problems, err := m[kind].CheckStorage(ctx)
		found = append(found, problems...)
		failed = errors.Join(failed, err)
	}
	return distinct(found), failed // they may share the data directory
}
