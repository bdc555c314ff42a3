// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/device"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
)

// disk is a raw block volume that a case writes to.
type disk struct {
	*device.Device
	driver *harness.Driver
}

func needDisk(ctx context.Context, driver *harness.Driver) *disk {
	return &disk{device.Need(ctx, driver), driver}
}

// text is the text that a case writes, once or more.
const text = "a block that was written to"

// write writes the text at each of the places, and returns the written extents.
func (d *disk) write(ctx context.Context, places ...int64) []device.Extent {
	return d.Write(ctx, text, places...)
}

// snapshot takes a snapshot that is ready to use.
func (d *disk) snapshot(ctx context.Context) string {
	return snapshots.Need(ctx, d.driver, d.Volume).GetSnapshotId()
}

// restored restores the snapshot of the volume to another one, in the same segment.
func (d *disk) restored(ctx context.Context, snapshotID string) *disk {
	node := d.driver.Nodes[0]
	request := d.driver.CreateVolumeRequest(d.driver.VolumeFor(node).OfBytes(d.Bytes()))
	request.VolumeCapabilities = []*csi.VolumeCapability{d.driver.Block()}
	request.VolumeContentSource = messages.FromSnapshot(snapshotID)
	volume := harness.NeedOK(d.driver.Controller.CreateVolume(ctx, request)).GetVolume()
	return &disk{device.Of(node, volume), d.driver}
}
