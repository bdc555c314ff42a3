// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotAgain checks that a repeated request returns the same snapshot.
func snapshotAgain() harness.Case {
	return harness.Case{
		ID:           "snapshot_again",
		Text:         "returns the same snapshot for a repeated request",
		Requirements: []string{"CS-03"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)
			first := snapshots.NeedReady(ctx, driver, request)

			again, err := driver.Controller.CreateSnapshot(ctx, request)

			harness.ExpectOK("CS-03", err, "a snapshot of that name exists and is ready to use, and is returned")
			expectSame(driver, again.GetSnapshot(), first)
			// The first answer may have the measured time; later answers have the stored time, which is always the same.
			later := harness.NeedOK(driver.Controller.CreateSnapshot(ctx, request))
			got, before := later.GetSnapshot().GetCreationTime(), again.GetSnapshot().GetCreationTime()
			suite.Must("CS-03", proto.Equal(got, before), "the same request again returns the same snapshot\nbut creation_time is %s, and was %s", got.AsTime(), before.AsTime())
			expectOnly(ctx, driver, volume, first)
		},
	}
}

// expectSame fails the case if the answer to a repeated request differs from the first.
func expectSame(driver *harness.Driver, again, first *csi.Snapshot) {
	found := messages.Changes(again, first)
	suite.Must("CS-03", len(found) == 0, "the same request again returns the same snapshot\nbut %v", found)
	now, before := reachOf(driver, again), reachOf(driver, first)
	suite.Must("CS-03", now.Equal(before), "the same request again returns the same snapshot\nbut accessible_topology is %s, and was %s", now, before)
}

// snapshotOtherVolume checks that a name belongs to one snapshot of one volume.
func snapshotOtherVolume() harness.Case {
	return harness.Case{
		ID:           "snapshot_other_volume",
		Text:         "returns ALREADY_EXISTS for the name of a snapshot of another volume",
		Requirements: []string{"CS-17", "CS-18", "GEN-15", "GEN-16"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := snapshots.CreateRequest(driver, driver.NeedVolume(ctx, driver.Volume(1)))
			snapshots.NeedReady(ctx, driver, request)
			other := driver.NeedVolume(ctx, driver.Volume(1))
			request.SourceVolumeId = other.GetVolumeId()

			_, err := driver.Controller.CreateSnapshot(ctx, request)

			harness.ExpectRefused(ctx, "CS-18", err, "the name has a snapshot of another volume", codes.AlreadyExists)
			shouldLeaveNothing(ctx, driver, other)
		},
	}
}

// snapshotNameFree uses the name of a deleted snapshot again. The specification does not say how soon it is free. Snapshots
// with a name that is the beginning of it, or that begins with it, keep their names.
func snapshotNameFree() harness.Case {
	return harness.Case{
		ID:           "snapshot_name_free_after_deletion",
		Text:         "takes another snapshot with the name of a deleted one, keeps it when that one is deleted again, and returns the snapshots of similar names",
		Requirements: []string{"CS-03", "CS-18", "DS-01", "SN-06"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			shorter, request, longer := snapshots.CreateRequest(driver, volume), snapshots.CreateRequest(driver, volume), snapshots.CreateRequest(driver, volume)
			request.Name, longer.Name = shorter.GetName()+"a", shorter.GetName()+"ab"
			first := snapshots.NeedReady(ctx, driver, request)
			similar := []*csi.CreateSnapshotRequest{shorter, longer}
			var others []*csi.Snapshot
			for _, other := range similar {
				response, err := driver.Controller.CreateSnapshot(ctx, other)
				if err != nil {
					suite.Reduced(ctx, "the driver takes no other snapshot of the volume, with a similar name: %s", describe.Status(err))
					break
				}
				others = append(others, waitReady(ctx, driver, other, response.GetSnapshot()))
			}
			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, first)))
			for i, snapshot := range others {
				again, err := driver.Controller.CreateSnapshot(ctx, similar[i])
				why := fmt.Sprintf("a snapshot of the name %q exists, and is returned: the one that was deleted had the name %q", similar[i].GetName(), request.GetName())
				harness.ExpectOK("CS-03", err, why)
				suite.Must("CS-03", again.GetSnapshot().GetSnapshotId() == snapshot.GetSnapshotId(), "%s\ngot: %s, and not %s", why, again.GetSnapshot().GetSnapshotId(), snapshot.GetSnapshotId())
			}

			var another *csi.CreateSnapshotResponse
			var err error
			driver.Settled(ctx, effect.FreeName, func() bool {
				another, err = driver.Controller.CreateSnapshot(ctx, request)
				return err == nil || status.Code(err) == codes.ResourceExhausted
			})
			switch second := another.GetSnapshot().GetSnapshotId(); {
			case err == nil && second != first.GetSnapshotId():
				_, _ = driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, first)) // snapshot_deleted_again judges it
				now, err := driver.Controller.CreateSnapshot(ctx, request)
				suite.Must("SN-06", err != nil || now.GetSnapshot().GetSnapshotId() == second, "snapshot %s was deleted, and snapshot %s was taken under its name\nDeleteSnapshot of %s was repeated, and CreateSnapshot of the name returns %s",
					first.GetSnapshotId(), second, first.GetSnapshotId(), now.GetSnapshot().GetSnapshotId())
			case err == nil:
			case status.Code(err) == codes.ResourceExhausted:
				suite.Skip(suite.ByEnvironment, "there is no room for another snapshot: %s", describe.Status(err))
			case status.Code(err) == codes.AlreadyExists && driver.ListsSnapshots() && snapshots.Listed(ctx, driver, first.GetSnapshotId()) == nil:
				suite.Fail("CS-18", "the snapshot of the name was deleted, and is no longer listed: nothing is left for which ALREADY_EXISTS is right\ngot: %s", describe.Status(err))
			default:
				suite.Warn(ctx, "CS-18", "the snapshot of the name was deleted, and the name cannot be used again\ngot: %s", describe.Status(err))
			}
		},
	}
}

// snapshotAtOnce makes one call several times at once: it may be ABORTED while another one for the name is pending. Any
// other failure is a warning.
func snapshotAtOnce() harness.Case {
	return harness.Case{
		ID:           "snapshot_at_once",
		Text:         "takes one snapshot for several concurrent requests with one name",
		Requirements: []string{"CS-03", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const times = 4
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)

			answers := calls.Graceful(ctx, "CS-03", calls.AtOnce(ctx, times, func(ctx context.Context) (*csi.CreateSnapshotResponse, error) {
				return driver.Controller.CreateSnapshot(ctx, request)
			}))

			again, err := driver.Controller.CreateSnapshot(ctx, request)
			harness.ExpectOK("CS-03", err, "no other call is pending, and the snapshot that one of them took is returned")
			one := again.GetSnapshot()
			for _, answer := range answers {
				suite.Must("CS-03", answer.GetSnapshot().GetSnapshotId() == one.GetSnapshotId(), "one name stands for one snapshot, and not for %s and %s", answer.GetSnapshot().GetSnapshotId(), one.GetSnapshotId())
			}
			expectOnly(ctx, driver, volume, one)
		},
	}
}

// snapshotCutShort repeats a call that was cut short, which must continue where it left off. A snapshot that is listed by
// then has already been cut, and its creation_time does not change.
func snapshotCutShort() harness.Case {
	return harness.Case{
		ID:           "snapshot_cut_short",
		Text:         "takes one snapshot when CreateSnapshot is cut short and repeated, and does not list it before it has been cut",
		Requirements: []string{"CS-03", "LS-07", "GEN-07"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := snapshots.CreateRequest(driver, volume)
			var listed []*csi.Snapshot // before the call was answered

			answers, err := calls.CutShort(ctx, driver, func(limited context.Context) (*csi.CreateSnapshotResponse, error) {
				response, err := driver.Controller.CreateSnapshot(limited, request)
				if err != nil && driver.ListsSnapshots() {
					listed = append(listed, snapshots.Of(ctx, driver, volume.GetVolumeId())...)
				}
				return response, err
			})

			skipWithoutSpace(err)
			harness.ExpectOK("CS-03", err, "a call that was cut short and is repeated continues where it left off, and has the same answer when it is repeated once more")
			snapshot := answers[0].GetSnapshot()
			for _, again := range answers {
				suite.Must("CS-03", again.GetSnapshot().GetSnapshotId() == snapshot.GetSnapshotId(), "one name stands for one snapshot, and not for %s and %s", snapshot.GetSnapshotId(), again.GetSnapshot().GetSnapshotId())
			}
			expectCut(ctx, driver, listed, snapshot)
			expectOnly(ctx, driver, volume, snapshot)
		},
	}
}

// expectCut fails the case if the snapshot was listed before it was cut, that is with another creation_time than now.
func expectCut(ctx context.Context, driver *harness.Driver, early []*csi.Snapshot, snapshot *csi.Snapshot) {
	early = slices.DeleteFunc(early, func(s *csi.Snapshot) bool { return s.GetSnapshotId() != snapshot.GetSnapshotId() })
	if len(early) == 0 {
		return
	}
	listed := snapshots.Listed(ctx, driver, snapshot.GetSnapshotId())
	if listed == nil {
		return // the cases about lists judge it
	}
	for _, s := range early {
		before, now := s.GetCreationTime().AsTime(), listed.GetCreationTime().AsTime()
		suite.Must("LS-07", now.Sub(before).Abs() < time.Second,
			"ListSnapshots lists no snapshot that has not been cut yet\nbefore CreateSnapshot was answered it listed %s with creation_time %s, and now it does with %s", s.GetSnapshotId(), before, now)
	}
}
