// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// listOfVolumes returns the cases about the volumes that ListVolumes returns.
func listOfVolumes() []harness.Case {
	return []harness.Case{listVolumesHasEachOnce(), listVolumesWithoutDeleted()}
}

// pagesOfVolumes returns the cases about the pages of ListVolumes.
func pagesOfVolumes() []harness.Case {
	return []harness.Case{
		listVolumesMaxEntries(), listVolumesPages(), listVolumesInOnePage(), listVolumesWhileVolumesChange(),
		listVolumesInvalidToken(), listVolumesInvalidTokenLater(), listVolumesNumberAsToken(), listVolumesNegativeMaxEntries(),
	}
}

func listingVolumes(volumes int) []harness.Need {
	return harness.Needs(harness.Volumes(volumes), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES))
}

// listVolumesHasEachOnce makes volumes in several segments: one controller lists the volumes of all.
func listVolumesHasEachOnce() harness.Case {
	const volumes = 4
	return harness.Case{
		ID:           "list_volumes_has_each_once",
		Text:         "lists every volume once, whichever segment it is in",
		Requirements: []string{"LV-01", "LV-08", "LV-20", "VOL-03", "VOL-04"},
		Needs:        harness.Needs(listingVolumes(volumes), harness.Shows(volumes)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := newVolumes(ctx, driver, volumes)

			repeated := expectListed(ctx, driver, created...).repeated(created)

			suite.Should(ctx, "LV-01", len(repeated) == 0, "ListVolumes has these volumes more than once: %s", strings.Join(repeated, ", "))
		},
	}
}

// listVolumesWithoutDeleted warns of a volume that is still listed: a driver may still know one that it is deleting.
func listVolumesWithoutDeleted() harness.Case {
	return harness.Case{
		ID:           "list_volumes_without_deleted",
		Text:         "lists the other volumes after one was deleted, and not that one",
		Requirements: []string{"LV-01"},
		Needs:        listingVolumes(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := newVolumes(ctx, driver, 2)
			deleted := created[0].GetVolumeId()

			deletion.Need(ctx, driver, created[0])

			expectListed(ctx, driver, created[1])
			gone := driver.Settled(ctx, effect.Deletion, func() bool { return len(mustList(ctx, driver, 0).entries[deleted]) == 0 })
			suite.Should(ctx, "LV-01", gone, "DeleteVolume of volume %s was OK, and ListVolumes still has it", deleted)
		},
	}
}

func listVolumesMaxEntries() harness.Case {
	return harness.Case{
		ID:           "list_volumes_max_entries",
		Text:         "lists no more than max_entries volumes on a page, also where the page before had more",
		Requirements: []string{"LV-03"},
		Needs:        listingVolumes(4),
		Run: func(ctx context.Context, driver *harness.Driver) {
			newVolumes(ctx, driver, 4)

			small, large := taken(ctx, driver, 1), taken(ctx, driver, 2)
			for _, sizes := range [][]int32{{small}, {large}, {large, small}} {
				if slices.Contains(sizes, 0) {
					continue
				}
				if !driver.Settled(ctx, effect.Creation, func() bool { return mustKeepTo(ctx, driver, sizes...) }) {
					suite.Skip(suite.ByEnvironment, "ListVolumes has no volume, so that nothing shows a limit; list_volumes_has_each_once reports that it lacks the created volumes")
				}
			}
		},
	}
}

// mustKeepTo fails the case if a page has more volumes than its max_entries, which is each of the sizes in turn. It reports
// whether any page has a volume.
func mustKeepTo(ctx context.Context, driver *harness.Driver, sizes ...int32) (shown bool) {
	token := ""
	for page := 1; page == 1 || token != "" && page < mostPages; page++ {
		most := sizes[(page-1)%len(sizes)]
		response, err := getPage(attempt.Once(ctx, codes.Aborted), driver, most, token)
		if err != nil && token != "" {
			return true // the case on pages judges it
		}
		mustBeListed(err, most, token)
		entries := len(response.GetEntries())
		suite.Must("LV-03", entries <= int(most), "ListVolumes with max_entries %d has %d entries on page %d", most, entries, page)
		shown, token = shown || entries > 0, response.GetNextToken()
	}
	return shown
}

// listVolumesPages runs alone: a driver may keep the pages of one list only, and answer ABORTED when others begin anew.
func listVolumesPages() harness.Case {
	return harness.Case{
		ID:           "list_volumes_pages",
		Text:         "lists every volume once over pages of one volume, of two, and of both sizes in turn",
		Requirements: []string{"LV-01", "LV-03", "LV-04", "LV-17"},
		Needs:        harness.Needs(listingVolumes(3), harness.Alone()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := newVolumes(ctx, driver, 3)
			expectListed(ctx, driver, created...)

			small, large := expectPaged(ctx, driver, created, 1), expectPaged(ctx, driver, created, 2)
			if !small || !large {
				return
			}
			for _, sizes := range [][]int32{{1, 2}, {2, 1}, {1, 0}} {
				expectPagedInTurns(ctx, driver, created, sizes...)
			}
		},
	}
}

func listVolumesInOnePage() harness.Case {
	return harness.Case{
		ID:           "list_volumes_in_one_page",
		Text:         "lists every volume where max_entries is the number of volumes",
		Requirements: []string{"LV-01", "LV-03", "LV-04"},
		Needs:        listingVolumes(3),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := newVolumes(ctx, driver, 3)
			list := expectListed(ctx, driver, created...)

			expectPaged(ctx, driver, created, int32(min(len(list.known), math.MaxInt32)))
		},
	}
}

// listVolumesWhileVolumesChange reads the last page after volumes were created and deleted: its contents are not
// specified, and its token may no longer be valid. More volumes are deleted than created, so that a token that is an
// offset is beyond the end. The case runs alone for the same reason as listVolumesPages.
func listVolumesWhileVolumesChange() harness.Case {
	return harness.Case{
		ID:           "list_volumes_while_volumes_change",
		Text:         "returns the next page, or ABORTED, after volumes were created and deleted",
		Requirements: []string{"LV-01", "LV-03", "LV-04", "LV-17", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(listingVolumes(4), harness.Alone()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := newVolumes(ctx, driver, 4)
			list := expectListed(ctx, driver, created...)
			most := taken(ctx, driver, int32(min(len(list.known)-1, math.MaxInt32)))
			first := harness.NeedOK(getPage(ctx, driver, most, ""))
			for _, volume := range created[1:] {
				deletion.Need(ctx, driver, volume)
			}
			created = append(created[:1], newVolumes(ctx, driver, 1)...)

			if _, err := getPage(attempt.Once(ctx, codes.Aborted), driver, most, first.GetNextToken()); err != nil {
				harness.ExpectRefused(ctx, "LV-17", err, "a starting_token that is no longer valid is ABORTED", codes.Aborted)
			}
			expectListed(ctx, driver, created...)
		},
	}
}

// listVolumesNegativeMaxEntries warns of a driver that hides the CO's mistake.
func listVolumesNegativeMaxEntries() harness.Case {
	return harness.Case{
		ID:           "list_volumes_negative_max_entries",
		Text:         "returns INVALID_ARGUMENT for a negative max_entries",
		Requirements: []string{"LV-18", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        listingVolumes(0),
		Deadly:       true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			_, err := getPage(ctx, driver, -1, "")

			expectNegativeMaxEntries(ctx, "LV-18", "ListVolumes", err)
		},
	}
}

func expectNegativeMaxEntries(ctx context.Context, clause, call string, err error) {
	if err == nil {
		suite.Warn(ctx, clause, "%s accepts a negative max_entries, which hides a mistake of the CO", call)
		return
	}
	harness.ExpectInvalidRefused(ctx, "GEN-12", err, call+" with a negative max_entries is INVALID_ARGUMENT", codes.InvalidArgument)
}
