// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// disk is a raw block volume that a case writes to.
type disk struct {
	driver *harness.Driver
	node   *harness.Node
	volume *csi.Volume
}

func needDisk(ctx context.Context, driver *harness.Driver) *disk {
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node), driver.Block())
	return &disk{driver, publication.For(node, volume), volume}
}

// text is the text that a case writes, once or more.
const text = "a block that was written to"

// bytes returns the size of the volume, as far as it is known.
func (d *disk) bytes() int64 { return max(d.volume.GetCapacityBytes(), d.driver.Size()) }

// at returns count places in the volume, apart from each other: its beginning, and others, in their order.
func (d *disk) at(count int) []int64 {
	var places []int64
	for i := range int64(count) {
		const block = 4096
		places = append(places, i*(d.bytes()/int64(count))/block*block)
	}
	return places
}

// write writes at each of the places, takes the volume from the node again, and returns what was written to.
func (d *disk) write(ctx context.Context, places ...int64) []extent {
	published := publication.PublishAs(ctx, d.node, d.volume, d.driver.Block())
	var written []extent
	for _, at := range places {
		if err := data.WriteAt(ctx, d.node, published, at, text); err != nil {
			suite.CouldNotTell("writing to volume %s at offset %d failed: %v", d.volume.GetVolumeId(), at, err)
		}
		written = append(written, extent{at, at + int64(len(text))})
	}
	publication.TakeAway(ctx, d.node, d.volume, published)
	return written
}

// snapshot takes a snapshot that is ready to use.
func (d *disk) snapshot(ctx context.Context) string {
	return snapshots.Need(ctx, d.driver, d.volume).GetSnapshotId()
}

// restored restores the snapshot of the volume to another one, in the same segment.
func (d *disk) restored(ctx context.Context, snapshotID string) *disk {
	asked := d.driver.VolumeFor(d.node).OfBytes(d.bytes())
	request := d.driver.CreateVolumeRequest(asked)
	request.VolumeCapabilities = []*csi.VolumeCapability{d.driver.Block()}
	request.VolumeContentSource = messages.FromSnapshot(snapshotID)
	volume := harness.NeedOK(d.driver.Controller.CreateVolume(ctx, request)).GetVolume()
	return &disk{d.driver, publication.For(d.node, volume), volume}
}
