// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// deletions are the cases on deleting a source, before and after a volume is created from it.
func deletions(k kind) []harness.Case {
	return []harness.Case{unknownSource(k), outlivesSource(k)}
}

// A source that was deleted does not exist, and its id has the driver's own form.
func unknownSource(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_unknown_source",
		Text:         fmt.Sprintf("returns NOT_FOUND for a source %s that was deleted", k.noun),
		Requirements: []string{"CREATE-05", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			mustDelete(ctx, driver, from)

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.Volume(1).OfBytes(from.bytes))

			if got.Code != codes.NotFound {
				from.mustNotList(ctx)
			}
			expectCode(ctx, "CREATE-05", got, codes.NotFound, "the source does not exist", describeSource(from)+", which was deleted")
		},
	}
}

// A volume remains when its source is deleted. A driver that still needs the source refuses to delete it.
func outlivesSource(k kind) harness.Case {
	id := map[string]string{"restore": "restore_outlives_snapshot", "clone": "clone_outlives_source"}[k.verb]
	return harness.Case{
		ID:           id,
		Text:         fmt.Sprintf("keeps a volume whose source %s is deleted, or returns FAILED_PRECONDITION and does not delete the %s", k.noun, k.noun),
		Requirements: []string{k.inUse, "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			made := k.mustCreate(ctx, driver, from, driver.Volume(1))

			err := from.delete(ctx)

			why := fmt.Sprintf("deleting a %s is OK, or FAILED_PRECONDITION while a volume needs it", k.noun)
			harness.ExpectOKOrRefused(ctx, k.inUse, err, why, codes.FailedPrecondition)
			expectExists(ctx, driver, k.inUse, made.Volume, fmt.Sprintf("a %s that a volume needs is not deleted", k.noun))
		},
	}
}

// mustDelete deletes the source, and waits until the driver no longer finds it, if a call shows that: a deletion may take
// longer than its call.
func mustDelete(ctx context.Context, driver *harness.Driver, from content) {
	harness.NeedOK[any](nil, from.delete(ctx))
	driver.Settled(ctx, effect.SourceGone, func() bool { return !from.exists(ctx) })
}

// A source names a snapshot or a volume.
func sourceEmpty() harness.Case {
	return harness.Case{
		ID:           "source_empty",
		Text:         "returns INVALID_ARGUMENT for a source that names nothing",
		Requirements: []string{"CREATE-04", "CV-07", "GEN-05", "GEN-11", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, source := range []struct {
				name  string
				given *csi.VolumeContentSource
			}{
				{"volume_content_source is empty", &csi.VolumeContentSource{}},
				{"snapshot_id is empty", messages.FromSnapshot("")},
				{"volume_id is empty", messages.FromVolume("")},
			} {
				got := creation.CreateFrom(ctx, driver, source.given, driver.Volume(1))
				expectCode(ctx, "GEN-11", got, codes.InvalidArgument, "a source needs a type, and the id of that type", source.name)
			}
		},
	}
}

// A driver that does not support a kind of source says so. Users would take an empty volume for the copy.
func sourceUnsupported() harness.Case {
	return harness.Case{
		ID:           "source_unsupported",
		Text:         "returns INVALID_ARGUMENT for a kind of source that it does not claim",
		Requirements: []string{"CREATE-04", "CV-07", "GEN-15", "GEN-16"},
		Needs:        harness.Volumes(4),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var sources []content
			for _, k := range []kind{restoring(), cloning()} {
				if !driver.Claims(k.capability) {
					volume := driver.NeedVolume(ctx, driver.Volume(1))
					sources = append(sources, unclaimed(k, driver, volume))
				}
			}
			if len(sources) == 0 {
				suite.Skip(suite.ByCapability, "the driver claims CREATE_DELETE_SNAPSHOT and CLONE_VOLUME: it supports both kinds of source")
			}
			for _, from := range sources {
				expectUnsupported(ctx, driver, from)
			}
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

func expectUnsupported(ctx context.Context, driver *harness.Driver, from content) {
	got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.Volume(1).OfBytes(from.bytes))
	const why = "a plugin that cannot create a volume from the source returns"
	switch {
	case got.Code == codes.OK && got.Volume.GetContentSource() != nil:
		suite.Warn(ctx, "CREATE-04", "the driver creates volumes from a source without claiming the capability, so that no CO will ask for it\nrequested: %s\ngot: %s", describeSource(from), got)
	case got.Code == codes.NotFound && from.GetSnapshot() != nil:
		creation.ExpectNothingLeft(ctx, got) // there is no such snapshot (CREATE-05)
	default:
		expectCode(ctx, "CREATE-04", got, codes.InvalidArgument, why, describeSource(from))
	}
}
