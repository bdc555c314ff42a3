// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/device"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deviceData copies a block device to its size and to a larger one, up to its last byte. It copies the device again after
// older data was overwritten and the device has grown, from a second snapshot of the volume if the source is a snapshot:
// that has the new data, the common data, and the data after the old end.
func deviceData(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_device_data",
		Text:         fmt.Sprintf("%s a %s of a block device with all data up to its end, also to a larger one, with what was written over older data, and beyond the old end once it has grown", k.doing, k.noun),
		Requirements: []string{"VS-02"},
		Needs:        harness.Needs(k.needsData(), harness.Block(), harness.Volumes(8)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			source := device.NeedOdd(ctx, driver)
			places := append(source.At(2), source.Bytes()-int64(len(textBefore)))
			source.Write(ctx, textBefore, places...)
			wanted := map[int64]string{places[0]: textBefore, places[1]: textBefore, places[2]: textBefore}
			from := k.take(ctx, driver, source.Volume)
			from.bytes = max(from.bytes, source.Bytes())
			k.expectDevice(ctx, driver, from, from.bytes, wanted)
			k.expectDevice(ctx, driver, from, largerThan(driver, from), wanted)
			source.Write(ctx, textAfter, places[0])
			wanted[places[0]] = textAfter
			grown, why := source.Grow(ctx, textLatest)
			if why != "" {
				suite.Reduced(ctx, "no %s of a device that has grown was copied: %s", k.noun, why)
			}
			if from.takeAgain != nil {
				if from = k.takeSecond(ctx, driver, from, source); from.VolumeContentSource == nil {
					return
				}
				from.bytes = max(from.bytes, source.Bytes())
			}
			for _, written := range grown {
				wanted[written.Begin] = textLatest
				from.bytes = max(from.bytes, written.End)
			}
			k.expectDevice(ctx, driver, from, from.bytes, wanted)
		},
	}
}

// expectDevice copies the block device to one of the given number of bytes, and fails the case unless the copy has each text
// at its offset. A larger one may be refused.
func (k kind) expectDevice(ctx context.Context, driver *harness.Driver, from content, bytes int64, wanted map[int64]string) {
	got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.VolumeFor(driver.Nodes[0]).OfBytes(bytes), driver.Block())
	switch {
	case got.Code != codes.OK && bytes > from.bytes:
		suite.Reduced(ctx, "no block device that is larger was created from the %s: %s", k.noun, got)
		return
	case got.Code != codes.OK:
		suite.Skip(suite.ByCapability, "no block device can be created from the %s, which is for other cases to judge: %s", k.noun, got)
	}
	copied := device.Of(driver.Nodes[0], got.Volume)
	for at, text := range wanted {
		found := copied.Read(ctx, at) // a larger device may have anything after the data of its source
		suite.Must("VS-02", strings.HasPrefix(found, text), "a volume has the data of its source\n%q was written last at offset %d of a volume\nvolume %s of %d bytes was created from it: %s\nit has %q there",
			text, at, got.VolumeID, bytes, describeSource(from), found)
	}
}

// takeSecond takes a second snapshot of the device, or one that replaces the first if the driver takes no second one. It
// takes none if the driver does not delete the first one, which has copies.
func (k kind) takeSecond(ctx context.Context, driver *harness.Driver, first content, source *device.Device) content {
	if second := takeAnother(ctx, driver, source.Volume); second != nil {
		return contentOf(driver, second[0], source.Volume)
	}
	if err := first.delete(ctx); err != nil {
		suite.Reduced(ctx, "the device was not copied once it had other data: its only snapshot is not deleted\ngot: %s", describe.Status(err))
		return content{}
	}
	driver.Settled(ctx, effect.SourceGone, func() bool { return !first.exists(ctx) })
	return k.take(ctx, driver, source.Volume)
}
