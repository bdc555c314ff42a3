// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// kind is one of the two kinds of source that a volume can be created from. Both have the same cases.
type kind struct {
	// verb begins the ids of the cases: restore or clone.
	verb string
	// doing is the verb of the cases' texts, and noun its object.
	doing, noun string
	capability  csi.ControllerServiceCapability_RPC_Type
	// clause demands that a plugin with the capability creates volumes from this kind of source, and inUse is about
	// deleting a source that is in use.
	clause, inUse string
	// take makes a source of the volume.
	take func(ctx context.Context, driver *harness.Driver, volume *csi.Volume) content
	// copyBefore creates a volume from the data that the volume has before change is called, which may delete it.
	copyBefore func(ctx context.Context, driver *harness.Driver, volume *csi.Volume, asked model.Request, change func() (deleted bool)) creation.Answer
}

func restoring() kind {
	return kind{
		verb: "restore", doing: "restores", noun: "snapshot",
		capability: csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
		clause:     "CS-01", inUse: "DS-04",
		copyBefore: restoreBefore,
		take: func(ctx context.Context, driver *harness.Driver, volume *csi.Volume) content {
			request := snapshots.CreateRequest(driver, volume)
			from := contentOf(driver, snapshots.NeedReady(ctx, driver, request), volume)
			from.takeAgain = func(ctx context.Context) error {
				_, err := driver.Controller.CreateSnapshot(ctx, request)
				return err
			}
			return from
		},
	}
}

func cloning() kind {
	return kind{
		verb: "clone", doing: "clones", noun: "volume",
		capability: csi.ControllerServiceCapability_RPC_CLONE_VOLUME,
		clause:     "CS-02", inUse: "DV-05",
		copyBefore: cloneBefore,
		take: func(_ context.Context, driver *harness.Driver, volume *csi.Volume) content {
			return content{
				VolumeContentSource: messages.FromVolume(volume.GetVolumeId()),
				bytes:               max(driver.Size(), volume.GetCapacityBytes()),
				told:                volume.GetCapacityBytes(),
				delete: func(ctx context.Context) error {
					_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
					return err
				},
				exists:      func(ctx context.Context) bool { return status.Code(validate(ctx, driver, volume)) != codes.NotFound },
				mustNotList: func(ctx context.Context) { deletion.MustNotList(ctx, driver, volume) },
			}
		},
	}
}

// content is the source of a volume.
type content struct {
	*csi.VolumeContentSource
	// bytes is the size that a volume from it needs, and told the size that the driver returned; 0 is unknown.
	bytes, told int64
	// usable are the topologies that a snapshot is usable from, if the driver reports them.
	usable model.Set
	// takeAgain repeats the call that took a snapshot; nil for a volume.
	takeAgain func(ctx context.Context) error
	delete    func(ctx context.Context) error
	exists    func(ctx context.Context) bool
	// mustNotList ends the case if the source was deleted and the driver still lists it.
	mustNotList func(ctx context.Context)
}

// contentOf returns the content of a snapshot that was taken of the volume.
func contentOf(driver *harness.Driver, snapshot *csi.Snapshot, volume *csi.Volume) content {
	least := snapshot.GetSizeBytes()
	if least == 0 { // it is not known
		least = volume.GetCapacityBytes()
	}
	return content{
		VolumeContentSource: messages.FromSnapshot(snapshot.GetSnapshotId()),
		bytes:               max(driver.Size(), least),
		told:                snapshot.GetSizeBytes(),
		usable:              messages.Segments(snapshot.GetAccessibleTopology()),
		delete: func(ctx context.Context) error {
			_, err := driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, snapshot))
			return err
		},
		exists: func(ctx context.Context) bool { return snapshotExists(ctx, driver, snapshot) },
		mustNotList: func(ctx context.Context) {
			if driver.ListsSnapshots() && snapshots.Listed(ctx, driver, snapshot.GetSnapshotId()) != nil {
				suite.CouldNotTell("snapshot %s was deleted, and ListSnapshots still has it: whether the driver is right to know it is open. If it takes longer to delete snapshots, raise settle in the profile's timeouts", snapshot.GetSnapshotId())
			}
		},
	}
}

// needs returns the needs of the cases of the kind. They create up to four volumes in a segment.
func (k kind) needs() []harness.Need {
	return harness.Needs(harness.Volumes(4), harness.Claims(k.capability))
}

// needsSegments returns needs, and the segments for cases about where a volume is.
func (k kind) needsSegments(segments int) []harness.Need {
	return harness.Needs(harness.Segments(segments), k.needs())
}

// needContent creates a volume and makes a source of it.
func (k kind) needContent(ctx context.Context, driver *harness.Driver) content {
	return k.take(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)))
}

// needContentIn creates a volume in the segment, and makes a source of it that is usable there.
func (k kind) needContentIn(ctx context.Context, driver *harness.Driver, segment model.Segment) content {
	from := k.take(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1).Within(segment)))
	mustReach(from, segment)
	return from
}

// mustReach skips the case if the source is a snapshot that is not usable from the segment.
func mustReach(from content, segment model.Segment) {
	if len(from.usable) > 0 && !matchAny(from.usable, segment) {
		suite.Skip(suite.ByCapability, "the snapshot of a volume in %s is usable from %s only", segment, from.usable)
	}
}

// matchAny reports whether the segment is in one of the topologies.
func matchAny(topologies model.Set, segment model.Segment) bool {
	return slices.ContainsFunc(topologies, func(term model.Segment) bool { return segment.Matches(term) })
}

// mustCreate creates a volume from the source, of the size of the source.
func (k kind) mustCreate(ctx context.Context, driver *harness.Driver, from content, asked model.Request) creation.Answer {
	asked = asked.OfBytes(from.bytes)
	got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)
	mustHaveRoom(ctx, driver, got, asked)
	suite.Must(k.clause, got.Code == codes.OK, "a plugin that claims %s creates volumes from a %s\nrequested: %d bytes, %s\ngot: %s",
		k.capability, k.noun, asked.Bytes, describeSource(from), got)
	expectSize(got, asked.Bytes)
	return got
}

// mustHaveRoom skips the case if the driver has no room, unless it reported room before.
func mustHaveRoom(ctx context.Context, driver *harness.Driver, got creation.Answer, asked model.Request) {
	if got.Code == codes.ResourceExhausted {
		creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, driver.Room.World))
		suite.Skip(suite.ByEnvironment, "the driver has no room for the volumes and snapshots of the case: %s", got)
	}
}

// expectSize fails the case if capacity_bytes of the volume is less than was required. 0 is unknown.
func expectSize(got creation.Answer, required int64) {
	bytes := got.Volume.GetCapacityBytes()
	suite.Must("CV-11", bytes == 0 || bytes >= required, "capacity_range is honored for a volume from a source as well\nrequired_bytes: %d\ncapacity_bytes: %d", required, bytes)
}

// describeSource describes the source of a request.
func describeSource(from content) string {
	if from.VolumeContentSource == nil {
		return "no volume_content_source"
	}
	if id := from.GetVolume().GetVolumeId(); id != "" {
		return fmt.Sprintf("volume_content_source is volume %s", id)
	}
	return fmt.Sprintf("volume_content_source is snapshot %s", from.GetSnapshot().GetSnapshotId())
}

// validate asks ValidateVolumeCapabilities, which every controller has, about the volume.
func validate(ctx context.Context, driver *harness.Driver, volume *csi.Volume) error {
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
	return err
}

// expectExists fails the case by the clause if the driver does not find the volume.
func expectExists(ctx context.Context, driver *harness.Driver, clause string, volume *csi.Volume, why string) {
	switch err := validate(ctx, driver, volume); status.Code(err) {
	case codes.OK:
	case codes.NotFound:
		suite.Fail(clause, "%s\nValidateVolumeCapabilities does not find volume %s: %s", why, volume.GetVolumeId(), status.Convert(err).Message())
	default:
		suite.CouldNotTell("ValidateVolumeCapabilities was called to find out whether volume %s still exists, and answered: %v", volume.GetVolumeId(), err)
	}
}

// expectOK fails the case by the clause unless CreateVolume was answered OK.
func expectOK(clause string, got creation.Answer, why string) {
	suite.Must(clause, got.Code == codes.OK, "%s\ngot: %s", why, got)
}

// expectCode fails the case by the clause unless CreateVolume failed with the code, and warns of traces of the call.
func expectCode(ctx context.Context, clause string, got creation.Answer, code codes.Code, why, asked string) {
	suite.Must(clause, got.Code == code, "%s: %s\nrequested: %s\ngot: %s", why, model.CodeName(code), asked, got)
	creation.ExpectNothingLeft(ctx, got)
}
