// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// growKeepsTopology compares each call's reports of a volume before and after it grew. Other cases judge whether they are
// right.
func growKeepsTopology() harness.Case {
	return harness.Case{
		ID:           "grow_keeps_topology",
		Text:         "does not change accessible_topology or volume_context of a volume that grows",
		Requirements: []string{"CV-18", "VOL-08", "VOL-12", "LV-08"},
		Needs:        harness.Needs(harness.Segments(1), controllerGrowth(), harness.Volumes(4)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))
			before := listing.Reported(ctx, driver, volume.GetVolumeId())
			if len(before) == 0 {
				suite.Skip(suite.ByCapability, "no call says where a volume is: GET_VOLUME is not claimed, and %s", driver.WhyVolumesUnlisted())
			}

			needGrown(ctx, driver, volume, larger(driver, volume), driver.Capability())

			for call, now := range listing.Reported(ctx, driver, volume.GetVolumeId()) {
				if before[call] != nil && now != nil { // a list may lack the volume
					expectSamePlace(ctx, call, driver.Z2, before[call], now)
					expectSameContext(call, before[call].GetVolumeContext(), now.GetVolumeContext())
				}
			}
		},
	}
}

// expectSamePlace fails the case if the volume is no longer accessible from the requested segment, and warns of any
// other difference.
func expectSamePlace(ctx context.Context, call string, asked model.Segment, before, now *csi.Volume) {
	were, are := messages.Segments(before.GetAccessibleTopology()), messages.Segments(now.GetAccessibleTopology())
	const text = "%s reported the volume as accessible from %s, and from %s after it had grown"
	suite.Must("CV-18", !reaches(were, asked) || reaches(are, asked), text, call, were, are)
	suite.Should(ctx, "LV-08", are.Equal(were), text, call, were, are)
}

// reaches reports whether a volume of that topology is accessible from the segment. Without topology it is accessible from
// everywhere.
func reaches(topology model.Set, segment model.Segment) bool {
	return len(topology) == 0 || slices.ContainsFunc(topology, func(term model.Segment) bool { return segment.Matches(term) })
}

func expectSameContext(call string, before, now map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(now)) {
		value, found := before[key]
		suite.Must("VOL-08", found, "%s reports a volume_context with the key %q after the volume had grown: volume_context is immutable", call, key)
		suite.Must("VOL-08", value == now[key], "%s reported volume_context %q = %q, and %q after the volume had grown: volume_context is immutable", call, key, value, now[key])
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		_, found := now[key]
		suite.Must("VOL-08", found, "%s reports a volume_context without the key %q after the volume had grown: volume_context is immutable", call, key)
	}
}
