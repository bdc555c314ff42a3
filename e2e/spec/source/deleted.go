// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deletions returns the cases about deleting a source, before and after a volume is created from it.
func deletions(k kind) []harness.Case {
	return []harness.Case{unknownSource(k), outlivesSource(k)}
}

// unknownSource names a source that was deleted, so that its id has the driver's own form.
func unknownSource(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_unknown_source",
		Text:         fmt.Sprintf("returns NOT_FOUND for a source %s that was deleted", k.noun),
		Requirements: []string{"CREATE-05", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			mustDelete(ctx, driver, from)

			expectUnknown(ctx, driver, from)
		},
	}
}

// expectUnknown fails the case unless CreateVolume does not find a source that was deleted.
func expectUnknown(ctx context.Context, driver *harness.Driver, from content) {
	got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.Volume(1).OfBytes(from.bytes))
	if got.Code != codes.NotFound {
		from.mustNotList(ctx)
	}
	expectCode(ctx, "CREATE-05", got, codes.NotFound, "the source does not exist", describeSource(from)+", which was deleted")
}

// outlivesSource checks that a volume remains when its source is deleted. A driver that still needs the source refuses
// to delete it.
func outlivesSource(k kind) harness.Case {
	id := map[string]string{"restore": "restore_outlives_snapshot", "clone": "clone_outlives_source"}[k.verb]
	return harness.Case{
		ID:           id,
		Text:         fmt.Sprintf("keeps a volume whose source %s is deleted, or returns FAILED_PRECONDITION and does not delete the %s", k.noun, k.noun),
		Requirements: []string{k.inUse, "CREATE-05", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			made := k.mustCreate(ctx, driver, from, driver.Volume(1))

			err := from.delete(ctx)

			why := fmt.Sprintf("deleting a %s is OK, or FAILED_PRECONDITION while a volume needs it", k.noun)
			harness.ExpectOKOrRefused(ctx, k.inUse, err, why, codes.FailedPrecondition)
			expectExists(ctx, driver, k.inUse, made.Volume, fmt.Sprintf("a %s that a volume needs is not deleted", k.noun))
			if err == nil {
				driver.Settled(ctx, effect.SourceGone, func() bool { return !from.exists(ctx) })
				expectUnknown(ctx, driver, from)
			}
		},
	}
}

// mustDelete deletes the source, and waits until the driver no longer finds it, if a call shows that: a deletion may take
// longer than its call.
func mustDelete(ctx context.Context, driver *harness.Driver, from content) {
	harness.NeedOK[any](nil, from.delete(ctx))
	driver.Settled(ctx, effect.SourceGone, func() bool { return !from.exists(ctx) })
}

// sourceEmpty sends sources that name neither a snapshot nor a volume.
func sourceEmpty() harness.Case {
	return harness.Case{
		ID:           "source_empty",
		Text:         "returns INVALID_ARGUMENT for a source that names nothing, or NOT_FOUND for an empty id",
		Requirements: []string{"CREATE-04", "CREATE-05", "CV-07", "GEN-05", "GEN-11", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each([]emptySource{
				{"volume_content_source is empty", &csi.VolumeContentSource{}, false},
				{"snapshot_id is empty", messages.FromSnapshot(""), true},
				{"volume_id is empty", messages.FromVolume(""), true},
			}, func(source emptySource) { source.expectRefused(ctx, driver) })
		},
	}
}

// emptySource is a source that names nothing.
type emptySource struct {
	name  string
	given *csi.VolumeContentSource
	// typed says that the source has a type, whose id is REQUIRED. Without a type, a driver that makes an empty volume
	// ignores a mistake of the CO, like one that does not check other fields of messages.
	typed bool
}

// expectRefused judges the answer. An empty id is a missing field, and also an id that does not exist.
func (e emptySource) expectRefused(ctx context.Context, driver *harness.Driver) {
	got := creation.CreateFrom(ctx, driver, e.given, driver.Volume(1))
	const why = "a source needs a type, and the id of that type"
	switch {
	case e.typed && got.Code == codes.NotFound: // CREATE-05
		creation.ExpectNothingLeft(ctx, got)
	case e.typed || got.Code == codes.InvalidArgument:
		expectCode(ctx, "GEN-11", got, codes.InvalidArgument, why, e.name)
	default:
		mustHaveRoom(ctx, driver, got, driver.Volume(1))
		suite.Warn(ctx, "GEN-11", "%s: INVALID_ARGUMENT\nrequested: %s\ngot: %s", why, e.name, got)
		if got.Code != codes.OK {
			creation.ExpectNothingLeft(ctx, got)
		}
	}
}

// sourceUnsupported checks that a driver refuses a kind of source that it does not support. Users would mistake an empty
// volume for the copy.
func sourceUnsupported() harness.Case {
	return harness.Case{
		ID:           "source_unsupported",
		Text:         "returns INVALID_ARGUMENT for a kind of source that it does not claim",
		Requirements: []string{"CREATE-04", "CV-07", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(4), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			kinds := slices.DeleteFunc([]kind{restoring(), cloning()}, func(k kind) bool { return driver.Claims(k.capability) })
			if len(kinds) == 0 {
				suite.Skip(suite.ByCapability, "the driver claims CREATE_DELETE_SNAPSHOT and CLONE_VOLUME: it supports both kinds of source")
			}
			suite.Each(kinds, func(k kind) { expectUnsupported(ctx, driver, k) })
		},
	}
}

// unclaimed returns a source of a kind that the driver does not claim: the volume, or a snapshot that does not exist.
func unclaimed(k kind, driver *harness.Driver, volume *csi.Volume) content {
	bytes := max(driver.Size(), volume.GetCapacityBytes())
	if k.noun == "volume" {
		return content{VolumeContentSource: messages.FromVolume(volume.GetVolumeId()), bytes: bytes}
	}
	return content{VolumeContentSource: messages.FromSnapshot(absent.Unlike(volume.GetVolumeId())), bytes: bytes}
}

// expectUnsupported judges a volume from a source of a kind that the driver does not claim.
func expectUnsupported(ctx context.Context, driver *harness.Driver, k kind) {
	asked := driver.Volume(1)
	if data.ShowsData(driver) {
		asked = driver.VolumeFor(driver.Nodes[0])
	}
	volume := driver.NeedVolume(ctx, asked)
	from := unclaimed(k, driver, volume)
	got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked.OfBytes(from.bytes))
	requested := describeSource(from) + ", and the kind of source is not claimed"
	switch {
	case got.Code == codes.NotFound && k.noun == "snapshot":
		creation.ExpectNothingLeft(ctx, got) // the snapshot does not exist (CREATE-05)
	case got.Code == codes.OK && k.noun == "volume" && got.Volume.GetContentSource() != nil:
		expectCopied(ctx, driver, volume, from, asked, requested)
	default:
		expectCode(ctx, "CREATE-04", got, codes.InvalidArgument, "a plugin that cannot create a volume from the source must not create an empty one in its place, which would be taken for a copy; it returns", requested)
	}
}

// expectCopied judges a driver that reports a volume as a copy, though it does not claim to make copies: if it is a copy,
// only the claim is missing. If nothing shows the data, it may just as well be empty.
func expectCopied(ctx context.Context, driver *harness.Driver, volume *csi.Volume, from content, asked model.Request, requested string) {
	empties := ", or leaves them empty, where INVALID_ARGUMENT is required: no data shows which"
	if data.ShowsData(driver) {
		data.WriteTo(ctx, driver.Nodes[0], volume, textBefore)
		copied := cloning().mustCreate(ctx, driver, from, asked)
		text := data.ReadFrom(ctx, driver.Nodes[0], copied.Volume)
		suite.Must("CREATE-04", text == textBefore, "a plugin that cannot create a volume from the source returns INVALID_ARGUMENT\nrequested: %s\ngot: %s\n%q was written to the source, and the new volume has %q",
			requested, copied, textBefore, text)
		empties = ""
	}
	suite.Warn(ctx, "CREATE-04", "the driver creates volumes from a source without claiming the capability, so that no CO will ask for it%s\nrequested: %s", empties, requested)
}
