// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// changes returns the cases about the changes of available_capacity as volumes are created and deleted. They are about
// capacity that the profile calls exact: the specification does not say how the figure changes, but the vendor does.
func changes() []harness.Case {
	return []harness.Case{capacityFallsByVolume(), capacityFallsInItsSegment(), capacityFallsInBothSegments(), capacityReturnsWithDeletion(), capacityCountsRepeatsOnce()}
}

// bytesBySegment is the available_capacity of each segment, by its name, or the total of a driver without topology.
type bytesBySegment map[string]int64

func readAvailable(ctx context.Context, driver *harness.Driver) bytesBySegment {
	bytes := bytesBySegment{}
	for _, segment := range everywhere(driver) {
		bytes[segment.String()] = available(ctx, driver, segment)
	}
	return bytes
}

// inReach keeps the segments that the volume is accessible from, which are all of them without accessible_topology.
func (b bytesBySegment) inReach(driver *harness.Driver, volume *csi.Volume) bytesBySegment {
	reached := bytesBySegment{}
	for _, segment := range everywhere(driver) {
		reaches := len(volume.GetAccessibleTopology()) == 0
		for _, term := range volume.GetAccessibleTopology() {
			reaches = reaches || segment.Matches(term.GetSegments())
		}
		if reaches {
			reached[segment.String()] = b[segment.String()]
		}
	}
	return reached
}

// outOfReach keeps the other segments.
func (b bytesBySegment) outOfReach(driver *harness.Driver, volume *csi.Volume) bytesBySegment {
	rest := maps.Clone(b)
	for segment := range b.inReach(driver, volume) {
		delete(rest, segment)
	}
	return rest
}

// less subtracts the given number of bytes from each segment.
func (b bytesBySegment) less(bytes int64) bytesBySegment {
	rest := bytesBySegment{}
	for segment := range b {
		rest[segment] = b[segment] - bytes
	}
	return rest
}

// expectAvailable fails the case by the clause unless the segments have the wanted bytes available once the driver has
// settled.
func expectAvailable(ctx context.Context, clause string, driver *harness.Driver, want bytesBySegment, why string) {
	var now bytesBySegment
	settled := driver.Settled(ctx, effect.Capacity, func() bool {
		now = readAvailable(ctx, driver)
		maps.DeleteFunc(now, func(segment string, _ int64) bool {
			_, wanted := want[segment]
			return !wanted
		})
		return maps.Equal(now, want)
	})
	suite.Must(clause, settled, "%s\navailable_capacity should be %v, and is %v", why, want, now)
}

func capacityFallsByVolume() harness.Case {
	return harness.Case{
		ID:           "capacity_falls_by_volume",
		Text:         "returns less capacity after a volume is created, by the size of that volume",
		Requirements: []string{"CAP-11", "CAP-12"},
		Needs:        harness.Needs(harness.Volumes(1), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := readAvailable(ctx, driver)

			volume := driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2))

			expectAvailable(ctx, "CAP-12", driver, before.inReach(driver, volume).less(bytesOf(driver, volume)), describeVolume(driver, volume)+" was created")
		},
	}
}

func capacityFallsInItsSegment() harness.Case {
	return harness.Case{
		ID:           "capacity_falls_in_its_segment",
		Text:         "returns the same capacity as before for segments that a new volume is not accessible from",
		Requirements: []string{"CAP-07", "CAP-11", "CAP-12"},
		Needs:        harness.Needs(harness.Segments(2), harness.Shows(4), harness.Volumes(1), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := readAvailable(ctx, driver)

			volume := driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2))

			driver.Settled(ctx, effect.Capacity, func() bool { return available(ctx, driver, driver.Z2) != before[driver.Z2.String()] })
			expectAvailable(ctx, "CAP-07", driver, before.outOfReach(driver, volume), describeVolume(driver, volume)+" was created elsewhere")
		},
	}
}

func capacityFallsInBothSegments() harness.Case {
	return harness.Case{
		ID:           "capacity_falls_in_both_segments",
		Text:         "returns less capacity for both segments that a new volume is accessible from",
		Requirements: []string{"CAP-07", "CAP-11", "CAP-12"},
		Needs:        harness.Needs(harness.Segments(2), harness.Shows(3), harness.Volumes(1), harness.ExactCapacity(), harness.AccessibleFrom(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := readAvailable(ctx, driver)

			volume := driver.NeedVolume(ctx, driver.Volume(2).Within(driver.Z2, driver.Z3))

			want := before.inReach(driver, volume).less(bytesOf(driver, volume))
			maps.Copy(want, before.outOfReach(driver, volume))
			expectAvailable(ctx, "CAP-07", driver, want, describeVolume(driver, volume)+" was created")
		},
	}
}

func capacityReturnsWithDeletion() harness.Case {
	return harness.Case{
		ID:           "capacity_returns_with_deletion",
		Text:         "returns the same capacity as before once a volume is deleted",
		Requirements: []string{"CAP-07", "CAP-11", "CAP-12"},
		Needs:        harness.Needs(harness.Volumes(1), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := readAvailable(ctx, driver)
			volume := driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2))

			deletion.Need(ctx, driver, volume)

			expectAvailable(ctx, "CAP-12", driver, before, describeVolume(driver, volume)+" was created and deleted")
		},
	}
}

// capacityCountsRepeatsOnce cancels calls and repeats them, as a CO does after a timeout.
func capacityCountsRepeatsOnce() harness.Case {
	return harness.Case{
		ID:           "capacity_counts_repeats_once",
		Text:         "counts a volume once when its creation and deletion are cut short and repeated",
		Requirements: []string{"CAP-11", "CAP-12", "CV-02", "GEN-07"},
		Needs:        harness.Needs(harness.Volumes(2), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := readAvailable(ctx, driver)
			request := driver.CreateVolumeRequest(volumeIn(driver, 1, driver.Z2))
			create := func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
				return driver.Controller.CreateVolume(ctx, request)
			}

			volume := harness.NeedOK(calls.CutShort(ctx, driver, create))[0].GetVolume()
			expectAvailable(ctx, "CAP-12", driver, before.inReach(driver, volume).less(bytesOf(driver, volume)), describeVolume(driver, volume)+" was created by several calls with one name")

			harness.NeedOK(calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
				return driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
			}))
			// capacity_returns_with_deletion judges whether the room returns at all.
			var now int64
			driver.Settled(ctx, effect.Capacity, func() bool {
				now = available(ctx, driver, driver.Z2)
				return now == before[driver.Z2.String()]
			})
			suite.Must("CAP-12", now <= before[driver.Z2.String()], "%s was deleted by several calls, and %d bytes are available, more than the %d before it was created", describeVolume(driver, volume), now, before[driver.Z2.String()])
		},
	}
}
