// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
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
	written, err := d.writeTo(ctx, published, places...)
	if err != nil {
		suite.CouldNotTell("writing to volume %s failed: %v", d.volume.GetVolumeId(), err)
	}
	publication.TakeAway(ctx, d.node, d.volume, published)
	return written
}

// writeTo writes at each of the places of the published volume, and returns what was written to.
func (d *disk) writeTo(ctx context.Context, published *csi.NodePublishVolumeRequest, places ...int64) ([]extent, error) {
	var written []extent
	for _, at := range places {
		if err := data.WriteAt(ctx, d.node, published, at, text); err != nil {
			return nil, fmt.Errorf("at offset %d: %w", at, err)
		}
		written = append(written, extent{at, at + int64(len(text))})
	}
	return written, nil
}

// grow grows the volume, writes behind its old end and at its new one, and returns what was written to. Whether volumes
// grow is for other cases to judge: why says what keeps this one from growing.
func (d *disk) grow(ctx context.Context) (written []extent, why string) {
	before, bytes := d.bytes(), growth.Size(d.driver)
	if d.driver.Profile().GrownBytes == 0 {
		bytes = max(bytes, 2*before)
	}
	switch {
	case !d.driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME):
		return nil, "ControllerGetCapabilities does not list EXPAND_VOLUME"
	case bytes < before+2*int64(len(text)):
		return nil, fmt.Sprintf("it has %d bytes, and cases grow volumes to %d", before, bytes)
	}
	online := d.driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE)
	if !online {
		if why := d.expand(ctx, bytes); why != "" {
			return nil, why
		}
	}
	published := publication.PublishAs(ctx, d.node, d.volume, d.driver.Block())
	if online {
		why = d.expand(ctx, bytes)
	}
	if why == "" {
		written, why = d.writeGrown(ctx, published, before, bytes)
	}
	publication.TakeAway(ctx, d.node, d.volume, published)
	return written, why
}

// expand grows the volume at the controller to the size in bytes.
func (d *disk) expand(ctx context.Context, bytes int64) (why string) {
	if _, err := d.driver.Controller.ControllerExpandVolume(ctx, growth.ControllerRequest(d.driver, d.volume, bytes)); err != nil {
		return "ControllerExpandVolume was refused: " + describe.Status(err)
	}
	return ""
}

// writeGrown grows the published volume on the node as well, if that does so, and writes behind its old size and at the end of
// its new one.
func (d *disk) writeGrown(ctx context.Context, published *csi.NodePublishVolumeRequest, before, bytes int64) (written []extent, why string) {
	if d.node.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) {
		if _, err := d.node.NodeExpandVolume(ctx, growth.NodeRequest(d.node, published, bytes)); err != nil {
			return nil, "NodeExpandVolume was refused: " + describe.Status(err)
		}
	}
	written, err := d.writeTo(ctx, published, before, bytes-int64(len(text)))
	if err != nil {
		return nil, fmt.Sprintf("writing behind its old end failed: %v", err)
	}
	return written, ""
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
