// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/dir"
	"github.com/csi-topo/csi-topo/driver/volume/image"
)

// Sizes of volumes in bytes.
const (
	defaultBytes = 1 << 30
	unitBytes    = 1 << 20
)

// kinds returns the supported kinds of volumes; the first is the default.
func kinds() []service.SupportedKind {
	return []service.SupportedKind{
		{Kind: volume.Image, Sizes: service.Sizes{MinimumBytes: image.MinimumBytes, DefaultBytes: defaultBytes, UnitBytes: unitBytes}},
		{Kind: volume.Dir, Sizes: service.Sizes{DefaultBytes: defaultBytes, UnitBytes: unitBytes}},
	}
}

// openVolumes returns the provisioner for volumes of all kinds in the data directory.
func openVolumes(dataDir string) (volume.Provisioner, error) {
	images, err := image.Open(dataDir, nil)
	if err != nil {
		return nil, err
	}
	dirs, err := dir.Open(dataDir, nil)
	if err != nil {
		return nil, err
	}
	return volume.Provisioners{volume.Image: images, volume.Dir: dirs}, nil
}

// mounters returns the mounters of volumes in the data directory at paths of this node; dirs is the one whose trash has
// to be swept.
func mounters(dataDir, nodeID string) (all volume.Mounters, dirs *dir.Mounter) {
	config := volume.MounterConfig{DataDir: dataDir, NodeID: nodeID}
	dirs = dir.NewMounter(config)
	return volume.Mounters{
		volume.Image: image.NewMounter(config),
		volume.Dir:   dirs,
	}, dirs
}

// sweepInterval is the interval at which the trash is emptied of files that a controller may not remove.
const sweepInterval = 30 * time.Second

// sweep empties the trash periodically, until the context ends.
func sweep(ctx context.Context, dirs *dir.Mounter) error {
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if err := dirs.EmptyTrash(ctx); err != nil {
			klog.FromContext(ctx).Error(err, "leaving what is in the trash until the next time")
		}
	}, sweepInterval)
	return nil
}
