// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// copies returns the cases about creating a volume from a source.
func copies(k kind) []harness.Case {
	return []harness.Case{created(k), createdAgain(k), nameTaken(k), copiedWhileReadOnly(k)}
}

// created checks that the answer contains, as it should, the source of the volume: otherwise Kubernetes treats it as a
// failure. A driver that accepts a long name for a volume accepts it for a volume from a source.
func created(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_volume",
		Text:         fmt.Sprintf("%s a %s, also for two names of the longest size that it accepts for other volumes, which differ in the last byte, lists the new volume, and should return content_source", k.doing, k.noun),
		Requirements: []string{k.clause, "CV-11", "VS-01", "VOL-04", "LV-01"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			from := k.take(ctx, driver, volume)

			got := k.mustCreate(ctx, driver, from, driver.Volume(1))

			suite.Must("VOL-04", got.VolumeID != volume.GetVolumeId(), "volume_id identifies one volume, and the new volume has its source's: %s", got.VolumeID)
			suite.Should(ctx, "VS-01", proto.Equal(got.Volume.GetContentSource(), from.VolumeContentSource),
				"Kubernetes gives up on a volume whose content_source is not the requested one\nrequested:  %s\ngot: content_source is {%s}", describeSource(from), got.Volume.GetContentSource())
			if driver.ListsVolumes() {
				listed := driver.Settled(ctx, effect.Creation, func() bool { return listing.Volume(ctx, driver, got.VolumeID) != nil })
				suite.Must("LV-01", listed, "ListVolumes returns all volumes, but not %s, which was created from a %s", got.VolumeID, k.noun)
			}
			k.expectLongestNames(ctx, driver, from)
		},
	}
}

// expectLongestNames fails the case if two names of 128 bytes that differ only in the last byte get one volume from the
// source, or if the driver accepts such a name for a volume, and not for one from the source, for which it may need another
// name.
func (k kind) expectLongestNames(ctx context.Context, driver *harness.Driver, from content) {
	const longest = 128
	asked, names := driver.Volume(1).OfBytes(from.bytes), driver.LongestNames()
	create := func(name string, source *csi.VolumeContentSource) creation.Answer {
		return creation.CreateFromAgain(ctx, driver, creation.Answer{Name: name}, source, asked)
	}
	got := create(names[0], from.VolumeContentSource)
	if got.Code == codes.OK {
		other := create(names[1], from.VolumeContentSource)
		suite.Must("VOL-04", other.VolumeID != got.VolumeID, "volume_id identifies one volume\nvolumes were created from a %s under the names %q and %q\ngot: %s for both", k.noun, names[0], names[1], got.VolumeID)
		return
	}
	if plain := create(names[1], nil); plain.Code != codes.OK {
		suite.Reduced(ctx, "no volume was created from the %s under a name of %d bytes: no other volume can have such a name\ngot: %s", k.noun, longest, plain)
		return
	}
	// The number of copies may be limited, or the room used up.
	if shorter := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked); got.Code == codes.ResourceExhausted || shorter.Code != codes.OK {
		suite.Reduced(ctx, "no volume was created from the %s under a name of %d bytes, and the name need not be the reason\ngot: %s\ngot for a shorter name: %s", k.noun, longest, got, shorter)
		return
	}
	suite.Fail(k.clause, "the driver creates volumes under names of %d bytes, and volumes from a %s only under shorter names\nrequested: a name of %d bytes, and %s\ngot: %s",
		longest, k.noun, longest, describeSource(from), got)
}

// createdAgain checks that a repeated request has the same source, also once the source's volume has grown.
func createdAgain(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_again",
		Text:         fmt.Sprintf("returns the same volume for a repeated request that %s a %s, also after the source has grown", k.doing, k.noun),
		Requirements: []string{"CV-02", "CV-03", "CV-07", "VOL-12", "VS-01"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			from := k.take(ctx, driver, volume)
			first := k.mustCreate(ctx, driver, from, driver.Volume(1))
			repeat := func(why string) creation.Answer {
				again := creation.CreateFromAgain(ctx, driver, first, from.VolumeContentSource, driver.Volume(1).OfBytes(from.bytes))
				expectOK("CV-03", again, "the volume of that name satisfies the request"+why)
				creation.ExpectSame(driver, again, first)
				return again
			}

			again := repeat("")

			suite.Should(ctx, "VS-01", proto.Equal(again.Volume.GetContentSource(), first.Volume.GetContentSource()),
				"Kubernetes gives up on a volume whose content_source is not the requested one, and repeats the call after a lost answer\nrequested:  %s\ngot: content_source was {%s}, and is {%s}",
				describeSource(from), first.Volume.GetContentSource(), again.Volume.GetContentSource())
			if !driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) {
				return
			}
			larger := growth.ControllerRequest(driver, volume, growth.Size(driver))
			if _, err := driver.Controller.ControllerExpandVolume(ctx, larger); err != nil {
				suite.Reduced(ctx, "the call was not repeated after volume %s had grown: the driver refuses that once there is a copy, or has no room\ngot: %s", volume.GetVolumeId(), describe.Status(err))
				return
			}
			repeat(fmt.Sprintf(", whatever has become of its source: volume %s has grown to %d bytes since", volume.GetVolumeId(), larger.GetCapacityRange().GetRequiredBytes()))
		},
	}
}

// nameTaken checks that a name belongs to one volume with one source: for another source, or none, it is taken. Another
// source may be of the same volume.
func nameTaken(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_name_taken",
		Text:         fmt.Sprintf("returns ALREADY_EXISTS for the name of a volume from a %s when the request names another source or none", k.noun),
		Requirements: []string{"CREATE-06", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			from := k.take(ctx, driver, volume)
			made := k.mustCreate(ctx, driver, from, driver.Volume(1))
			expectTaken := func(with content) {
				const why = "the name has a volume with another volume_content_source"
				got := creation.CreateFromAgain(ctx, driver, made, with.VolumeContentSource, driver.Volume(1).OfBytes(max(from.bytes, with.bytes)))
				expectCode(ctx, "CREATE-06", got, codes.AlreadyExists, why, fmt.Sprintf("the name of a volume whose %s; now %s", describeSource(from), describeSource(with)))
			}

			suite.Each([]content{{}, k.needContent(ctx, driver)}, expectTaken)
			suite.Each(k.othersOf(driver), func(other kind) { expectTaken(other.take(ctx, driver, volume)) })
		},
	}
}

// othersOf returns the kinds of source that a volume has in addition to one of the kind: it has any number of
// snapshots, and is one volume.
func (k kind) othersOf(driver *harness.Driver) []kind {
	return slices.DeleteFunc([]kind{restoring(), cloning()}, func(other kind) bool {
		return !driver.Claims(other.capability) || other.noun == "volume" && k.noun == "volume"
	})
}
