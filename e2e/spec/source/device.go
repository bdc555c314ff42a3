// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/device"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deviceData copies a block device after older data was written over and the device has grown, a snapshot as the second one
// of the volume: it has what the first one has not, what both have, and what is behind the old end.
func deviceData(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_device_data",
		Text:         fmt.Sprintf("%s a %s of a block device with what was written over older data, and behind the old end once it has grown", k.doing, k.noun),
		Requirements: []string{"VS-02"},
		Needs:        harness.Needs(k.needsData(), harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			source := device.Need(ctx, driver)
			places := source.At(2)
			source.Write(ctx, textBefore, places...)
			from := k.take(ctx, driver, source.Volume)
			source.Write(ctx, textAfter, places[0])
			wanted := map[int64]string{places[0]: textAfter, places[1]: textBefore}
			grown, why := source.Grow(ctx, textLatest)
			if why != "" {
				suite.Reduced(ctx, "no %s of a device that has grown was copied: %s", k.noun, why)
			}
			if from.takeAgain != nil {
				from = k.takeSecond(ctx, driver, from, source)
			}
			for _, written := range grown {
				wanted[written.Begin] = textLatest
				from.bytes = max(from.bytes, written.End)
			}

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.VolumeFor(driver.Nodes[0]).OfBytes(from.bytes), driver.Block())

			if got.Code != codes.OK {
				suite.Skip(suite.ByCapability, "no block device can be created from the %s, which is for other cases to judge: %s", k.noun, got)
			}
			copied := device.Of(driver.Nodes[0], got.Volume)
			for at, text := range wanted {
				found := copied.Read(ctx, at)
				suite.Must("VS-02", found == text, "a volume has the data of its source\n%q was written last at offset %d of volume %s\nvolume %s was created from its %s, and has %q there",
					text, at, source.Volume.GetVolumeId(), got.VolumeID, k.noun, found)
			}
		},
	}
}

// takeSecond takes a second snapshot of the device, or one in the place of the first where the driver takes no second one.
func (k kind) takeSecond(ctx context.Context, driver *harness.Driver, first content, source *device.Device) content {
	if second := takeAnother(ctx, driver, source.Volume); second != nil {
		return contentOf(driver, second[0], source.Volume)
	}
	mustDelete(ctx, driver, first)
	return k.take(ctx, driver, source.Volume)
}
