// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mostPages is the number of pages that a case reads from a driver that has more volumes than the case made.
const mostPages = 200

// mostStale is the number of consecutive pages that may contain only volumes of earlier pages: a list that merely changes
// while it is read never has that many.
const mostStale = 1000

// getPage asks for one page of ListVolumes.
func getPage(ctx context.Context, driver *harness.Driver, most int32, token string) (*csi.ListVolumesResponse, error) {
	return driver.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{MaxEntries: most, StartingToken: token})
}

// volumeList is the result of ListVolumes, over all of its pages.
type volumeList struct {
	entries map[string][]*csi.ListVolumesResponse_Entry // of volumes that the case made, by volume_id
	pages   int
	// known holds the ids of all volumes, and stale counts the consecutive pages whose volumes were all on earlier
	// pages.
	known map[string]bool
	stale int
	// cut says that there are more pages than a case reads.
	cut bool
}

// mustList reads the list in pages of at most the given number of volumes. A driver that refuses a next_token that it just
// returned fails the case, unless the code is ABORTED: a list that changes may begin anew.
func mustList(ctx context.Context, driver *harness.Driver, most int32) volumeList {
	const attempts = 10
	for range attempts {
		list, err := readList(ctx, driver, most)
		if err == nil {
			return list
		}
	}
	suite.CouldNotTell("ListVolumes with max_entries %d was ABORTED on a later page in each of %d attempts: the list changes all the time", most, attempts)
	return volumeList{}
}

// readList reads the list page by page. The pages have each of the sizes in turn. It returns the error of a later page
// that was ABORTED, or that was refused with INVALID_ARGUMENT because the page before had another size.
func readList(ctx context.Context, driver *harness.Driver, sizes ...int32) (volumeList, error) {
	list := volumeList{entries: map[string][]*csi.ListVolumesResponse_Entry{}, known: map[string]bool{}}
	if endless := driver.Pages.Unusable("ListVolumes"); endless != nil && endless.Endless {
		mustEnd(endless)
	}
	began := time.Now()
	for token, seen := "", map[string]bool{}; ; {
		most := sizes[list.pages%len(sizes)]
		page, err := getPage(attempt.Once(ctx, codes.Aborted), driver, most, token)
		if code := status.Code(err); token != "" && (code == codes.Aborted || code == codes.InvalidArgument && len(sizes) > 1) {
			return list, err
		}
		if err != nil && token == "" {
			mustNotNeedAll(ctx, driver, most, err)
		}
		mustBeListed(err, most, token)
		news := false
		for _, entry := range page.GetEntries() {
			id := entry.GetVolume().GetVolumeId()
			suite.Must("LV-08", id != "", "ListVolumes has an entry without a volume or without its volume_id, both of which are REQUIRED: %v", entry)
			if driver.Made.Has(id) {
				list.entries[id] = append(list.entries[id], entry)
			}
			news = news || !list.known[id]
			list.known[id] = true
		}
		list.pages++
		switch {
		case news:
			list.stale = 0
		case len(page.GetEntries()) > 0: // a page without any may be for volumes that are left out
			list.stale++
		}
		if token = page.GetNextToken(); token == "" {
			return list, nil
		}
		if seen[token] {
			mustEnd(neverEnding(driver, slices.Max(sizes), fmt.Sprintf("returned next_token %q twice", token)))
		}
		seen[token] = true
		if list.stale >= mostStale {
			mustEnd(neverEnding(driver, slices.Max(sizes), fmt.Sprintf("returned a next_token after each of %d pages that only have volumes of pages before", list.stale)))
		}
		long := time.Since(began) > driver.Target.Timeouts.Query
		if list.pages >= mostPages && (long || list.stale < mostPages/2) {
			suite.Reduced(ctx, "shown with the first %d pages: there are more volumes than the case made", list.pages)
			list.cut = true
			return list, nil
		}
	}
}

// neverEnding returns the error of pages that do not end. Other cases read the list without max_entries: if it does not end
// then, they need not all find that out.
func neverEnding(driver *harness.Driver, most int32, why string) error {
	why = fmt.Sprintf("ListVolumes with max_entries %d %s: its pages never end", most, why)
	if most == 0 {
		return driver.Pages.NoteEndless("ListVolumes", why, true)
	}
	return errors.New(why)
}

// mustEnd fails the case, because the pages of ListVolumes do not end: a next_token is for more entries.
func mustEnd(endless error) {
	suite.Must("LV-04", false, "%v", endless)
}

// mustNotNeedAll fails the case if the first page is refused twice, though the driver returns all volumes without
// max_entries and there are more than fit the page: a driver must return the page with a next_token.
func mustNotNeedAll(ctx context.Context, driver *harness.Driver, most int32, err error) {
	if most == 0 || status.Code(err) == codes.Unimplemented {
		return
	}
	all, changed := readList(ctx, driver, 0)
	if changed != nil || len(all.known) <= int(most) {
		return
	}
	_, again := getPage(ctx, driver, most, "")
	suite.Must("LV-04", again == nil, "ListVolumes without max_entries returned %d volumes, and with max_entries %d it is refused, twice: %s", len(all.known), most, describe.Status(again))
}

// taken returns most if the driver accepts it as max_entries of ListVolumes, and 0, which means no limit, if it is
// INVALID_ARGUMENT. Some back ends have no small pages. The specification allows no minimum, so the case warns.
func taken(ctx context.Context, driver *harness.Driver, most int32) int32 {
	_, err := getPage(ctx, driver, most, "")
	return warnIfInvalid(ctx, "LV-03", "ListVolumes", most, err)
}

// warnIfInvalid returns most, or 0 with a warning by the clause if the call was INVALID_ARGUMENT for it.
func warnIfInvalid(ctx context.Context, clause, call string, most int32, err error) int32 {
	if most <= 0 || status.Code(err) != codes.InvalidArgument {
		return most
	}
	suite.Warn(ctx, clause, "%s does not support max_entries %d, which is a valid value: %s", call, most, describe.Status(err))
	return 0
}

// mustBeListed ends the case if a page was refused.
func mustBeListed(err error, most int32, token string) {
	suite.Must("LV-20", status.Code(err) != codes.Unimplemented, "LIST_VOLUMES is claimed, and ListVolumes is UNIMPLEMENTED")
	if err != nil && token != "" {
		suite.Fail("LV-04", "ListVolumes with max_entries %d and starting_token %q, which it just returned as next_token, is refused: %s", most, token, describe.Status(err))
	}
	harness.NeedOK(struct{}{}, err)
}

// missing returns the ids of the volumes that the list does not have; none if it was not read to its end.
func (l volumeList) missing(volumes []*csi.Volume) []string {
	if l.cut {
		return nil
	}
	var ids []string
	for _, volume := range volumes {
		if len(l.entries[volume.GetVolumeId()]) == 0 {
			ids = append(ids, volume.GetVolumeId())
		}
	}
	return ids
}

// repeated returns the ids of the volumes that the list has more than once.
func (l volumeList) repeated(volumes []*csi.Volume) []string {
	var ids []string
	for _, volume := range volumes {
		if len(l.entries[volume.GetVolumeId()]) > 1 {
			ids = append(ids, volume.GetVolumeId())
		}
	}
	return ids
}

// expectListed waits until the list has the volumes, and fails the case if it still lacks one that the driver knows. It
// returns the list.
func expectListed(ctx context.Context, driver *harness.Driver, volumes ...*csi.Volume) volumeList {
	var list volumeList
	if driver.Settled(ctx, effect.Creation, func() bool {
		list = mustList(ctx, driver, 0)
		return len(list.missing(volumes)) == 0
	}) {
		return list
	}
	missing := list.missing(volumes)
	for _, volume := range volumes {
		if slices.Contains(missing, volume.GetVolumeId()) && !isKnown(ctx, driver, volume) {
			suite.CouldNotTell("ListVolumes does not have volume %s, which was created, and ValidateVolumeCapabilities does not know it either", volume.GetVolumeId())
		}
	}
	suite.Fail("LV-01", "ListVolumes lacks volumes that were created and that the driver knows: %s\nIf its lists take longer to show new volumes, raise settle in the profile's timeouts", strings.Join(missing, ", "))
	return list
}

// isKnown reports whether the driver answers a question about the volume.
func isKnown(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
	return err == nil
}

// expectPaged waits until the pages have all of the volumes, and fails the case if they still lack one that the list
// without max_entries has. It reports whether the driver has pages of that size, and the list has ended.
func expectPaged(ctx context.Context, driver *harness.Driver, volumes []*csi.Volume, most int32) bool {
	if taken(ctx, driver, most) == 0 {
		return false
	}
	var list volumeList
	driver.Settled(ctx, effect.Creation, func() bool {
		list = mustList(ctx, driver, most)
		return len(list.missing(volumes)) == 0
	})
	expectEachOnce(ctx, list, volumes, fmt.Sprintf("the %s of max_entries %d", describePages(list.pages), most))
	return !list.cut
}

// expectPagedInTurns is like expectPaged, for pages that have each of the sizes in turn. A driver may accept a token only
// with the max_entries that it was returned for.
func expectPagedInTurns(ctx context.Context, driver *harness.Driver, volumes []*csi.Volume, sizes ...int32) {
	var list volumeList
	var refused error
	driver.Settled(ctx, effect.Creation, func() bool {
		list, refused = readList(ctx, driver, sizes...)
		return refused != nil || len(list.missing(volumes)) == 0
	})
	pages := fmt.Sprintf("%s of max_entries %s in turn", describePages(list.pages), strings.Trim(fmt.Sprint(sizes), "[]"))
	if refused != nil {
		suite.Should(ctx, "LV-17", status.Code(refused) == codes.Aborted, "a starting_token that is valid only with the max_entries it was returned for is ABORTED with another\ngot: %s, after %s", describe.Status(refused), pages)
		suite.Reduced(ctx, "the driver does not accept a starting_token with a max_entries other than the one it was returned for: %s, after %s", describe.Status(refused), pages)
		return
	}
	expectEachOnce(ctx, list, volumes, "the "+pages)
}

// expectEachOnce fails the case if the pages lack one of the volumes, and warns if they repeat one.
func expectEachOnce(ctx context.Context, list volumeList, volumes []*csi.Volume, pages string) {
	missing, repeated := list.missing(volumes), list.repeated(volumes)
	suite.Must("LV-04", len(missing) == 0, "ListVolumes lists these volumes without max_entries, and lacks them on %s, after which there is no next_token: %s", pages, strings.Join(missing, ", "))
	suite.Should(ctx, "LV-04", len(repeated) == 0, "ListVolumes has these volumes more than once over %s: %s", pages, strings.Join(repeated, ", "))
}

func describePages(pages int) string {
	if pages == 1 {
		return "one page"
	}
	return fmt.Sprintf("%d pages", pages)
}

// newVolumes makes several volumes, in turn in each of the driver's segments if it has any.
func newVolumes(ctx context.Context, driver *harness.Driver, count int) []*csi.Volume {
	zones := driver.Zones(count)
	var volumes []*csi.Volume
	for i := range count {
		asked := driver.Volume(1)
		if len(zones) > 0 {
			asked = asked.Within(zones[i%len(zones)])
		}
		volumes = append(volumes, driver.NeedVolume(ctx, asked))
	}
	return volumes
}
