// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// perPage is the max_entries of the cases on pages.
const perPage = 2

// snapshotsPaged reads a list page by page. Pages may be shorter than max_entries. Some back ends have a minimum for
// max_entries.
//
// The case runs alone: a driver may keep the pages of one list only, and answer ABORTED when others begin anew.
func snapshotsPaged() harness.Case {
	return harness.Case{
		ID:           "snapshots_paged",
		Text:         "lists three snapshots of a volume on pages of at most two, each of them once, also where the size of pages changes, and the other two once one is deleted",
		Requirements: []string{"LS-01", "LS-02", "LS-03"},
		Needs:        harness.Needs(needsList(), harness.Alone()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			wanted := takeThree(ctx, driver, volume)
			snapshots.Need(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1))) // which is on none of the pages
			request := &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId()}
			expectExactly(ctx, driver, "source_volume_id is "+volume.GetVolumeId(), request, wanted...)

			request.MaxEntries = perPage
			expectPaged(ctx, driver, request, wanted)
			for _, sizes := range [][]int32{{1, 2}, {2, 1}, {1, 0}} {
				expectPagedInTurns(ctx, driver, request, wanted, sizes...)
			}

			if _, err := driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, wanted[1])); err != nil {
				suite.Reduced(ctx, "the list was not read without the second snapshot, which the driver does not delete between two others: %s", describe.Status(err))
				return
			}
			listed := ids(mustList(ctx, driver, &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId()}))
			left := []*csi.Snapshot{wanted[0], wanted[2]}
			suite.Must("LS-01", len(lacking(listed, left)) == 0, "ListSnapshots returns all snapshots within the given parameters\nbut once %s was deleted it lacks %s as well", wanted[1].GetSnapshotId(), strings.Join(lacking(listed, left), ", "))
		},
	}
}

// allSnapshotsPaged reads the list of all snapshots, which includes other users' snapshots: if there are many, its pages are
// larger. It runs alone for the same reason as snapshotsPaged.
func allSnapshotsPaged() harness.Case {
	const mostPages = 20
	return harness.Case{
		ID:           "snapshots_paged_all",
		Text:         "lists every snapshot once over the pages of the full list",
		Requirements: []string{"LS-01", "LS-02", "LS-03"},
		Needs:        harness.Needs(needsList(), harness.Alone()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			wanted := takeThree(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)))
			var all []string
			driver.Settled(ctx, effect.Creation, func() bool {
				all = ids(mustList(ctx, driver, &csi.ListSnapshotsRequest{}))
				return len(lacking(all, wanted)) == 0
			})
			suite.Must("LS-01", len(lacking(all, wanted)) == 0, "ListSnapshots returns all snapshots, and lacks %s", strings.Join(lacking(all, wanted), ", "))

			most := min(max(perPage, len(all)/mostPages), math.MaxInt32)
			expectPaged(ctx, driver, &csi.ListSnapshotsRequest{MaxEntries: int32(most)}, wanted)
		},
	}
}

// expectPaged waits until the pages have the snapshots, and fails the case if they still lack one.
func expectPaged(ctx context.Context, driver *harness.Driver, request *csi.ListSnapshotsRequest, wanted []*csi.Snapshot) {
	var got []string
	var err error
	driver.Settled(ctx, effect.Creation, func() bool {
		var paged []*csi.Snapshot
		paged, err = list(ctx, driver, request)
		got = ids(paged)
		return err != nil || len(lacking(got, wanted)) == 0
	})
	if isInvalid(err) {
		suite.Warn(ctx, "LS-02", "the driver does not support max_entries %d: %v", request.GetMaxEntries(), err)
		return
	}
	if status.Code(err) == codes.Aborted {
		suite.CouldNotTell("a later page of ListSnapshots was ABORTED each time the list was read again: %s", describe.Status(err))
	}
	harness.ExpectOK("LS-02", err, "a plugin that claims LIST_SNAPSHOTS lists them page by page")
	if request.GetSourceVolumeId() != "" {
		others := slices.DeleteFunc(slices.Clone(got), func(id string) bool { return slices.Contains(ids(wanted), id) })
		suite.Must("LS-01", len(others) == 0, "each page has only snapshots within the given parameters\nrequested: source_volume_id is %s\nbut on the pages is %s", request.GetSourceVolumeId(), strings.Join(others, ", "))
	}
	suite.Must("LS-03", len(lacking(got, wanted)) == 0, "next_token gets the next page, until all entries were listed\nrequested: max_entries is %d\non none of the pages is %s\nthey have %s",
		request.GetMaxEntries(), strings.Join(lacking(got, wanted), ", "), strings.Join(got, ", "))
	ours := slices.DeleteFunc(got, func(id string) bool { return !slices.Contains(ids(wanted), id) })
	suite.Should(ctx, "LS-03", len(ours) == len(wanted), "nothing of it was created or deleted meanwhile, and some snapshots are on the pages twice: %s", strings.Join(ours, ", "))
}

// expectPagedInTurns is like expectPaged, for pages that have each of the sizes in turn. A driver may accept a token only
// with the max_entries that it was returned for.
func expectPagedInTurns(ctx context.Context, driver *harness.Driver, request *csi.ListSnapshotsRequest, wanted []*csi.Snapshot, sizes ...int32) {
	var got []string
	var err error
	driver.Settled(ctx, effect.Creation, func() bool {
		var paged []*csi.Snapshot
		paged, err = readPages(ctx, driver, request, sizes...)
		got = ids(paged)
		return err != nil || len(lacking(got, wanted)) == 0
	})
	if isInvalid(err) || status.Code(err) == codes.Aborted {
		suite.Reduced(ctx, "pages of max_entries %v in turn were not read: %s", sizes, describe.Status(err))
		return
	}
	harness.ExpectOK("LS-03", err, "next_token gets the next page, whatever max_entries is")
	suite.Must("LS-03", len(lacking(got, wanted)) == 0, "next_token gets the next page, until all entries were listed\nrequested: max_entries is %v in turn\non none of the pages is %s\nthey have %s",
		sizes, strings.Join(lacking(got, wanted), ", "), strings.Join(got, ", "))
	suite.Should(ctx, "LS-03", len(got) == len(wanted), "nothing of it was created or deleted meanwhile, and some snapshots are on the pages of max_entries %v in turn twice: %s", sizes, strings.Join(got, ", "))
}

// lacking returns the ids of the snapshots that are not listed.
func lacking(listed []string, wanted []*csi.Snapshot) []string {
	return slices.DeleteFunc(ids(wanted), func(id string) bool { return slices.Contains(listed, id) })
}

// snapshotsWhileSnapshotsChange creates and deletes snapshots while a list is read page by page: the CO may see one twice,
// or miss one. A list from the beginning afterwards must have all of them.
func snapshotsWhileSnapshotsChange() harness.Case {
	return harness.Case{
		ID:           "snapshots_while_snapshots_change",
		Text:         "returns the next page or ABORTED after snapshots are created and deleted",
		Requirements: []string{"LS-01", "LS-06", "LS-09", "GEN-15", "GEN-16"},
		Needs:        needsList(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			taken := takeThree(ctx, driver, volume)
			request := &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId(), MaxEntries: perPage, Secrets: driver.Profile().Secrets.ListSnapshots}
			first, err := driver.Controller.ListSnapshots(ctx, request)
			if isInvalid(err) {
				request.MaxEntries = 0
				first, err = driver.Controller.ListSnapshots(ctx, request)
			}
			harness.ExpectOK("LS-01", err, "a plugin that claims LIST_SNAPSHOTS lists them")

			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, taken[0])))
			now := append(taken[1:], snapshots.Need(ctx, driver, volume))

			if request.StartingToken = first.GetNextToken(); request.StartingToken != "" {
				_, err = driver.Controller.ListSnapshots(attempt.Once(ctx, codes.Aborted), request)
				harness.ExpectOKOrRefused(ctx, "LS-06", err, "a starting_token that is no longer valid", codes.Aborted)
			}
			expectAll(ctx, driver, volume, now)
		},
	}
}

// expectAll fails the case unless a new list has the snapshots of the volume.
func expectAll(ctx context.Context, driver *harness.Driver, volume *csi.Volume, wanted []*csi.Snapshot) {
	var listed []string
	missing := func(id string) bool { return !slices.Contains(listed, id) }
	driver.Settled(ctx, effect.Creation, func() bool {
		listed = ids(mustList(ctx, driver, &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId()}))
		return !slices.ContainsFunc(ids(wanted), missing)
	})
	for _, id := range ids(wanted) {
		suite.Must("LS-01", !missing(id), "ListSnapshots of source_volume_id %s, read again from the beginning, lacks snapshot %s of that volume", volume.GetVolumeId(), id)
	}
}

// takeThree takes one more snapshot than fits on a page.
func takeThree(ctx context.Context, driver *harness.Driver, volume *csi.Volume) []*csi.Snapshot {
	var taken []*csi.Snapshot
	for range perPage + 1 {
		taken = append(taken, snapshots.Need(ctx, driver, volume))
	}
	return taken
}
