package listing

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// mostPages is how many pages a case reads of a driver that has more volumes than the case made.
const mostPages = 200

// list asks for one page of ListVolumes.
func list(ctx context.Context, under *harness.Driver, most int32, token string) (*csi.ListVolumesResponse, error) {
	return under.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{MaxEntries: most, StartingToken: token})
}

// walk reads the list page by page, and counts how often each volume comes. It is complete when the last page was read.
func walk(ctx context.Context, under *harness.Driver, most int32) (listed map[string]int, complete bool) {
	ginkgo.GinkgoHelper()
	listed = map[string]int{}
	complete = eachPage(func(token string) string {
		page, err := list(ctx, under, most, token)
		gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("LIST_VOLUMES is claimed, and starting_token %q is none or a next_token (LV-04)", token)))
		for _, id := range ids(page) {
			listed[id]++
		}
		return page.GetNextToken()
	})
	return listed, complete
}

// eachPage reads one page after the other, and reports whether it has read the last.
func eachPage(read func(token string) (next string)) (last bool) {
	ginkgo.GinkgoHelper()
	token, seen := "", map[string]bool{}
	for range mostPages {
		if token = read(token); token == "" {
			return true
		}
		gomega.Expect(seen[token]).To(gomega.BeFalse(), "next_token %q was returned before: the pages never end", token)
		seen[token] = true
	}
	return false
}

// ids are the volumes of a page.
func ids(page *csi.ListVolumesResponse) []string {
	var found []string
	for _, entry := range page.GetEntries() {
		gomega.Expect(entry.GetVolume().GetVolumeId()).NotTo(gomega.BeEmpty(), "every entry has a volume (LV-08) with its id (VOL-03): %v", entry)
		found = append(found, entry.GetVolume().GetVolumeId())
	}
	return found
}

// expectOnceOverPages expects every volume that the case made once on all pages together.
func expectOnceOverPages(ctx context.Context, under *harness.Driver, made []*csi.Volume, most int32) {
	ginkgo.GinkgoHelper()
	under.Eventually(ctx, func(g gomega.Gomega) {
		listed, complete := walk(ctx, under, most)
		if !complete {
			verdict.Reduced("shown with the first %d pages: there are more volumes than the case made", mostPages)
			return
		}
		g.Expect(times(listed, made)).To(gomega.Equal(onceEach(made)), "over pages of %d, every volume comes (LV-01) once (LV-04)", most)
	})
}

// times is how often each of the volumes is listed, and onceEach what that should be.
func times(listed map[string]int, volumes []*csi.Volume) map[string]int {
	counted := map[string]int{}
	for _, volume := range volumes {
		counted[volume.GetVolumeId()] = listed[volume.GetVolumeId()]
	}
	return counted
}

func onceEach(volumes []*csi.Volume) map[string]int {
	counted := map[string]int{}
	for _, volume := range volumes {
		counted[volume.GetVolumeId()] = 1
	}
	return counted
}
