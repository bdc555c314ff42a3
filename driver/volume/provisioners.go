// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
)

// Provisioners leave each volume to the provisioner of its kind.
type Provisioners map[Kind]Provisioner

var _ Provisioner = Provisioners(nil)

func (p Provisioners) of(id string) (Provisioner, error) {
	kind, _ := KindOf(id)
	found, known := p[kind]
	if !known {
		return nil, fmt.Errorf("%w: no volume or snapshot is called %q", ErrNotFound, id)
	}
	return found, nil
}

// Create implements Provisioner.
func (p Provisioners) Create(ctx context.Context, id string, size Size, from Origin) error {
	volumes, err := p.of(id)
	if err != nil {
		return err
	}
	return volumes.Create(ctx, id, size, from)
}

// Resize implements Provisioner.
func (p Provisioners) Resize(ctx context.Context, id string, size Size) error {
	volumes, err := p.of(id)
	if err != nil {
		return err
	}
	return volumes.Resize(ctx, id, size)
}

// Size implements Provisioner.
func (p Provisioners) Size(ctx context.Context, id string) (int64, error) {
	volumes, err := p.of(id)
	if err != nil {
		return 0, err
	}
	return volumes.Size(ctx, id)
}

// Delete implements Provisioner.
func (p Provisioners) Delete(ctx context.Context, id string) error {
	volumes, err := p.of(id)
	if err != nil {
		return nil // no volume can have this id, so there is nothing to remove
	}
	return volumes.Delete(ctx, id)
}

// CreateSnapshot implements Provisioner.
func (p Provisioners) CreateSnapshot(ctx context.Context, id, volumeID string) error {
	volumes, err := p.of(id)
	if err != nil {
		return err
	}
	return volumes.CreateSnapshot(ctx, id, volumeID)
}

// DeleteSnapshot implements Provisioner.
func (p Provisioners) DeleteSnapshot(ctx context.Context, id string) error {
	volumes, err := p.of(id)
	if err != nil {
		return nil // no snapshot can have this id, so there is nothing to remove
	}
	return volumes.DeleteSnapshot(ctx, id)
}

// Check implements Provisioner.
func (p Provisioners) Check(ctx context.Context, id string, size Size) ([]Problem, error) {
	volumes, err := p.of(id)
	if err != nil {
		return nil, err
	}
	return volumes.Check(ctx, id, size)
}
