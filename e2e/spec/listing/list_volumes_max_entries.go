package listing

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// No page has more entries than max_entries, neither the first nor those that follow.
func listVolumesMaxEntries(s *harness.Suite) {
	labels := verdict.Case("list_volumes_max_entries", "LV-03")
	needs := harness.Needs{Volumes: 3, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists no more than max_entries", labels, needs, func(ctx context.Context, under *harness.Driver) {
		newVolumes(ctx, under, 3)

		for _, most := range []int32{1, 2} {
			page, err := list(ctx, under, most, "")
			gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("LIST_VOLUMES is claimed, and max_entries may be %d", most)))
			for pages := 1; ; pages++ {
				gomega.Expect(len(page.GetEntries())).To(gomega.BeNumerically("<=", most), "no more than max_entries are returned (LV-03), on page %d too", pages)
				if page.GetNextToken() == "" || pages == mostPages {
					break
				}
				page = harness.Need(list(ctx, under, most, page.GetNextToken()))
			}
		}
	})
}
