// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// FromSnapshot makes the snapshot the source of a new volume, and FromVolume makes a volume that.
func FromSnapshot(snapshotID string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
		Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: snapshotID},
	}}
}

// FromVolume makes the volume the source of a new one, which is its clone.
func FromVolume(volumeID string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
		Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: volumeID},
	}}
}

// CreateVolumeFrom asks for a volume with the content of the source, under a new name. The volume is deleted after the
// case.
func (d *Driver) CreateVolumeFrom(ctx context.Context, source *csi.VolumeContentSource, asked model.Request) Answer {
	request := d.CreateVolumeRequest(asked)
	request.VolumeContentSource = source
	return d.create(ctx, request)
}

// CreateVolumeFromUpTo is CreateVolumeFrom for a volume of no more than so many bytes; 0 sets no limit.
func (d *Driver) CreateVolumeFromUpTo(ctx context.Context, source *csi.VolumeContentSource, asked model.Request, limit int64) Answer {
	request := d.CreateVolumeRequest(asked)
	request.VolumeContentSource, request.CapacityRange.LimitBytes = source, limit
	return d.create(ctx, request)
}

// CreateVolumeFromAgain asks for such a volume under the name of an earlier answer.
func (d *Driver) CreateVolumeFromAgain(ctx context.Context, earlier Answer, source *csi.VolumeContentSource, asked model.Request) Answer {
	request := d.CreateVolumeRequest(asked)
	request.Name, request.VolumeContentSource = earlier.Name, source
	return d.create(ctx, request)
}
