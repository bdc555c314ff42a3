// SPDX-License-Identifier: Apache-2.0

// Package device writes to raw block volumes at several places, and grows them.
package device

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Device is a raw block volume that a case writes to.
type Device struct {
	driver *harness.Driver
	node   *harness.Node
	Volume *csi.Volume
	least  int64 // the size in bytes that was requested
}

// Need creates a volume for the first node.
func Need(ctx context.Context, driver *harness.Driver) *Device {
	node := driver.Nodes[0]
	return Of(node, driver.NeedVolume(ctx, driver.VolumeFor(node), driver.Block()))
}

// NeedOdd is like Need, for a volume whose size is not a multiple of 1 MiB, if the driver has such sizes.
func NeedOdd(ctx context.Context, driver *harness.Driver) *Device {
	const block = 4096
	node := driver.Nodes[0]
	asked := driver.VolumeFor(node).OfBytes(driver.Size() + block)
	got := creation.CreateFrom(ctx, driver, nil, asked, driver.Block())
	if got.Code != codes.OK {
		suite.Reduced(ctx, "the block device has the size in the profile: the driver creates none that is %d bytes larger\ngot: %s", block, got)
		return Need(ctx, driver)
	}
	odd := Of(node, got.Volume)
	odd.least = asked.Bytes
	return odd
}

// Of returns the volume as it is on the node, or on another node that it is accessible from.
func Of(node *harness.Node, volume *csi.Volume) *Device {
	return &Device{node.Driver, publication.For(node, volume), volume, node.Driver.Size()}
}

// Extent is a part of a volume, in bytes.
type Extent struct{ Begin, End int64 }

func (e Extent) String() string { return fmt.Sprintf("%d to %d", e.Begin, e.End-1) }

// Bytes returns the size of the volume, as far as it is known.
func (d *Device) Bytes() int64 { return max(d.Volume.GetCapacityBytes(), d.least) }

// At returns count evenly spaced offsets in the volume, beginning with 0.
func (d *Device) At(count int) []int64 {
	var places []int64
	for i := range int64(count) {
		const block = 4096
		places = append(places, i*(d.Bytes()/int64(count))/block*block)
	}
	return places
}

// Write writes the text at each of the places, unpublishes the volume, and returns the written extents.
func (d *Device) Write(ctx context.Context, text string, places ...int64) []Extent {
	published := publication.PublishAs(ctx, d.node, d.Volume, d.driver.Block())
	written, err := d.writeTo(ctx, published, text, places...)
	if err != nil {
		suite.CouldNotTell("writing to volume %s failed: %v", d.Volume.GetVolumeId(), err)
	}
	publication.TakeAway(ctx, d.node, d.Volume, published)
	return written
}

// Read returns the text that was written at the place.
func (d *Device) Read(ctx context.Context, at int64) string {
	published := publication.PublishAs(ctx, d.node, d.Volume, d.driver.Block())
	defer publication.TakeAway(ctx, d.node, d.Volume, published)
	return data.ReadAt(ctx, d.node, published, at)
}

// writeTo writes the text at each of the places of the published volume, and returns the written extents.
func (d *Device) writeTo(ctx context.Context, published *csi.NodePublishVolumeRequest, text string, places ...int64) ([]Extent, error) {
	var written []Extent
	for _, at := range places {
		if err := data.WriteAt(ctx, d.node, published, at, text); err != nil {
			return nil, fmt.Errorf("at offset %d: %w", at, err)
		}
		written = append(written, Extent{at, at + int64(len(text))})
	}
	return written, nil
}

// Grow grows the volume, writes the text after its old end and at its new end, and returns the written extents. If the
// volume cannot grow, which other cases judge, why explains it.
func (d *Device) Grow(ctx context.Context, text string) (written []Extent, why string) {
	before, bytes := d.Bytes(), growth.Size(d.driver)
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
	published := publication.PublishAs(ctx, d.node, d.Volume, d.driver.Block())
	if online {
		why = d.expand(ctx, bytes)
	}
	if why == "" {
		written, why = d.writeGrown(ctx, published, text, before, bytes)
	}
	publication.TakeAway(ctx, d.node, d.Volume, published)
	return written, why
}

// expand grows the volume at the controller to the size in bytes.
func (d *Device) expand(ctx context.Context, bytes int64) (why string) {
	if _, err := d.driver.Controller.ControllerExpandVolume(ctx, growth.ControllerRequest(d.driver, d.Volume, bytes)); err != nil {
		return "ControllerExpandVolume was refused: " + describe.Status(err)
	}
	return ""
}

// writeGrown grows the published volume on the node, if the node expands volumes, and writes after its old end and at its
// new end.
func (d *Device) writeGrown(ctx context.Context, published *csi.NodePublishVolumeRequest, text string, before, bytes int64) (written []Extent, why string) {
	if d.node.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) {
		if _, err := d.node.NodeExpandVolume(ctx, growth.NodeRequest(d.node, published, bytes)); err != nil {
			return nil, "NodeExpandVolume was refused: " + describe.Status(err)
		}
	}
	written, err := d.writeTo(ctx, published, text, before, bytes-int64(len(text)))
	if err != nil {
		return nil, fmt.Sprintf("writing beyond its old end failed: %v", err)
	}
	return written, ""
}
