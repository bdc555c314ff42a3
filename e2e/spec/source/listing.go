// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// listingCases returns the cases about ListSnapshots.
func listingCases() []harness.Case {
	return []harness.Case{snapshotListed(), snapshotsBySource(), snapshotsByBoth(), snapshotsInvalidToken(), snapshotsInvalidTokenLater(), snapshotsNegativeMaxEntries(), snapshotsPaged(), allSnapshotsPaged(), snapshotsWhileSnapshotsChange()}
}

func needsList() []harness.Need {
	return needsSnapshots(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
}

// snapshotListed looks for a snapshot in the list, before and after its deletion. The specification does not say how long a
// snapshot that is being deleted may be listed: it is still on the storage system.
func snapshotListed() harness.Case {
	return harness.Case{
		ID:           "snapshot_listed",
		Text:         "lists a snapshot as CreateSnapshot returned it, and should not once it is deleted",
		Requirements: []string{"LS-01", "DS-01"},
		Needs:        needsList(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			snapshot := snapshots.Need(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)))
			id := snapshot.GetSnapshotId()

			var listed *csi.Snapshot
			driver.Settled(ctx, effect.Creation, func() bool {
				listed = snapshots.Listed(ctx, driver, id)
				return listed != nil && len(messages.Changes(listed, snapshot)) == 0
			})
			suite.Must("LS-01", listed != nil, "ListSnapshots returns all snapshots, but not %s", id)
			found := messages.Changes(listed, snapshot)
			suite.Must("LS-01", len(found) == 0, "ListSnapshots returns the information about the snapshot that CreateSnapshot returned\nbut %v", found)

			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, snapshot)))
			gone := driver.Settled(ctx, effect.Deletion, func() bool { return snapshots.Listed(ctx, driver, id) == nil })
			suite.Should(ctx, "DS-01", gone, "DeleteSnapshot was answered OK, and ListSnapshots still has %s", id)
		},
	}
}

func snapshotsBySource() harness.Case {
	return harness.Case{
		ID:           "snapshots_by_source",
		Text:         "lists only the snapshots of source_volume_id, or the one with snapshot_id",
		Requirements: []string{"LS-01", "LS-04", "LS-05"},
		Needs:        needsList(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, other := driver.NeedVolume(ctx, driver.Volume(1)), driver.NeedVolume(ctx, driver.Volume(1))
			first, second := snapshots.Need(ctx, driver, volume), snapshots.Need(ctx, driver, volume)
			snapshots.Need(ctx, driver, other)

			expectExactly(ctx, driver, "source_volume_id is "+volume.GetVolumeId(), &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId()}, first, second)
			request := &csi.ListSnapshotsRequest{SnapshotId: first.GetSnapshotId()}
			expectExactly(ctx, driver, "snapshot_id is "+first.GetSnapshotId(), request, first)

			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, first)))
			shouldListNothing(ctx, driver, request)
		},
	}
}

// snapshotsByBoth sets both fields. The specification neither requires nor forbids that a plugin uses only one of them.
func snapshotsByBoth() harness.Case {
	return harness.Case{
		ID:           "snapshots_by_both",
		Text:         "lists the snapshot with snapshot_id where it is of source_volume_id, and should not where it is of another volume",
		Requirements: []string{"LS-01", "LS-04", "LS-05"},
		Needs:        needsList(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, other := driver.NeedVolume(ctx, driver.Volume(1)), driver.NeedVolume(ctx, driver.Volume(1))
			snapshot := snapshots.Need(ctx, driver, volume)
			request := &csi.ListSnapshotsRequest{SnapshotId: snapshot.GetSnapshotId(), SourceVolumeId: volume.GetVolumeId()}
			if _, err := list(ctx, driver, request); err != nil {
				suite.Warn(ctx, "LS-01", "ListSnapshots lists the snapshots within the given parameters, and was called with both snapshot_id and source_volume_id\ngot: %s", describe.Status(err))
				return
			}
			expectExactly(ctx, driver, "snapshot_id is "+snapshot.GetSnapshotId()+" and source_volume_id is its own", request, snapshot)

			request.SourceVolumeId = other.GetVolumeId()
			beyond, err := list(ctx, driver, request)

			suite.Should(ctx, "LS-01", err != nil || len(beyond) == 0, "snapshot_id belongs to a snapshot of %s, source_volume_id is %s, and ListSnapshots has %v: no snapshot is within these parameters",
				volume.GetVolumeId(), other.GetVolumeId(), ids(beyond))
		},
	}
}

// expectExactly fails the case unless the list has the snapshots, and no others.
func expectExactly(ctx context.Context, driver *harness.Driver, asked string, request *csi.ListSnapshotsRequest, wanted ...*csi.Snapshot) {
	var listed []*csi.Snapshot
	var got, want []string
	want = slices.Sorted(slices.Values(ids(wanted)))
	driver.Settled(ctx, effect.Creation, func() bool {
		listed = mustList(ctx, driver, request)
		got = slices.Compact(slices.Sorted(slices.Values(ids(listed))))
		return slices.Equal(got, want)
	})
	suite.Must("LS-01", slices.Equal(got, want), "ListSnapshots returns all snapshots within the given parameters\nrequested: %s\nwant: %s\ngot: %s", asked, strings.Join(want, ", "), strings.Join(got, ", "))
	for _, snapshot := range listed {
		expectOwnTime("LS-01", "ListSnapshots", snapshot, wanted)
	}
}

// expectOwnTime fails the case by the clause if the call reports the creation_time of another of the snapshots, as
// CreateSnapshot returned them. If it rounds the time to seconds, they may have the same.
func expectOwnTime(clause, call string, reported *csi.Snapshot, taken []*csi.Snapshot) {
	got := reported.GetCreationTime()
	has := func(s *csi.Snapshot) bool { return got.GetNanos() != 0 && proto.Equal(got, s.GetCreationTime()) }
	own := slices.ContainsFunc(taken, func(s *csi.Snapshot) bool { return has(s) && s.GetSnapshotId() == reported.GetSnapshotId() })
	suite.Must(clause, own || !slices.ContainsFunc(taken, has), "%s returns a snapshot as CreateSnapshot returned it\nbut creation_time of %s is %s, which CreateSnapshot returned for another snapshot",
		call, reported.GetSnapshotId(), got.AsTime())
}

// shouldListNothing warns unless the list of a snapshot_id that was deleted is empty.
func shouldListNothing(ctx context.Context, driver *harness.Driver, request *csi.ListSnapshotsRequest) {
	var err error
	var left []*csi.Snapshot
	empty := driver.Settled(ctx, effect.Deletion, func() bool {
		left, err = list(ctx, driver, request)
		return err == nil && len(left) == 0
	})
	suite.Should(ctx, "LS-05", empty || err == nil, "no snapshot is within the given parameters, and the list should be empty\nrequested: snapshot_id is %s, which was deleted\ngot: %v", request.GetSnapshotId(), err)
	suite.Should(ctx, "LS-05", empty || err != nil, "DeleteSnapshot was answered OK, and ListSnapshots still has something for the snapshot_id: %v", ids(left))
}

// snapshotsNegativeMaxEntries sends a negative max_entries. A driver that ignores the mistake hides it.
func snapshotsNegativeMaxEntries() harness.Case {
	return harness.Case{
		ID:           "snapshots_negative_max_entries",
		Text:         "returns INVALID_ARGUMENT for a negative max_entries",
		Requirements: []string{"LS-08", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS),
		Deadly:       true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := &csi.ListSnapshotsRequest{MaxEntries: -1, Secrets: driver.Profile().Secrets.ListSnapshots}

			_, err := driver.Controller.ListSnapshots(ctx, request)

			if err == nil {
				suite.Warn(ctx, "LS-08", "max_entries must not be negative: the driver accepts -1, which hides a mistake of the CO")
				return
			}
			harness.ExpectInvalidRefused(ctx, "GEN-12", err, "max_entries is -1, which is not a valid value", codes.InvalidArgument)
		},
	}
}

// list returns the snapshots on all pages of ListSnapshots for the request. If a later page is ABORTED, it begins the list
// anew: others may have changed it, or have begun another list.
func list(ctx context.Context, driver *harness.Driver, request *csi.ListSnapshotsRequest) ([]*csi.Snapshot, error) {
	const attempts = 10
	var found []*csi.Snapshot
	var err error
	for range attempts {
		if found, err = readPages(ctx, driver, request, request.GetMaxEntries()); status.Code(err) != codes.Aborted {
			break
		}
	}
	return found, err
}

// readPages is like list, but ends at the first page that is refused. The pages have each of the sizes in turn.
func readPages(ctx context.Context, driver *harness.Driver, request *csi.ListSnapshotsRequest, sizes ...int32) ([]*csi.Snapshot, error) {
	var found []*csi.Snapshot
	seen := map[string]bool{}
	for token := ""; ; {
		most := sizes[len(seen)%len(sizes)]
		if token != "" {
			ctx = attempt.Once(ctx, codes.Aborted)
		}
		page, err := driver.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{
			MaxEntries:     most,
			StartingToken:  token,
			SourceVolumeId: request.GetSourceVolumeId(),
			SnapshotId:     request.GetSnapshotId(),
			Secrets:        driver.Profile().Secrets.ListSnapshots,
		})
		if err != nil {
			return nil, err
		}
		suite.Must("LS-02", most == 0 || len(page.GetEntries()) <= int(most), "a page has no more than max_entries, which is %d, and has %d", most, len(page.GetEntries()))
		for _, entry := range page.GetEntries() {
			found = append(found, entry.GetSnapshot())
		}
		if token = page.GetNextToken(); token == "" {
			return found, nil
		}
		suite.Must("LS-03", !seen[token], "ListSnapshots with max_entries %d returned next_token %q twice: its pages never end", most, token)
		seen[token] = true
	}
}

// mustList is like list, for a request that must be OK.
func mustList(ctx context.Context, driver *harness.Driver, request *csi.ListSnapshotsRequest) []*csi.Snapshot {
	found, err := list(ctx, driver, request)
	if status.Code(err) == codes.Aborted {
		suite.CouldNotTell("a later page of ListSnapshots was ABORTED each time the list was read again: %s", describe.Status(err))
	}
	harness.ExpectOK("LS-01", err, "a plugin that claims LIST_SNAPSHOTS lists them")
	return found
}
