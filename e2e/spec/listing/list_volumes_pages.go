package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where there are more volumes than max_entries, the page has a next_token, and the page that begins there has others.
// Page after page, every volume comes once.
func listVolumesPages(s *harness.Suite) {
	labels := verdict.Case("list_volumes_pages", "LV-01", "LV-04")
	needs := harness.Needs{Volumes: 3, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists every volume once over pages of one volume, and of two", labels, needs, func(ctx context.Context, under *harness.Driver) {
		made := newVolumes(ctx, under, 3)

		first := harness.Need(list(ctx, under, 1, ""))
		gomega.Expect(first.GetEntries()).NotTo(gomega.BeEmpty(), "there are volumes, and the first page has none (LV-01)")
		if len(first.GetEntries()) == 1 { // else it is not a page of one volume (LV-03), and may have them all
			gomega.Expect(first.GetNextToken()).NotTo(gomega.BeEmpty(), "there are 3 volumes at least and max_entries is 1: there is a next_token (LV-04)")

			second, err := list(ctx, under, 1, first.GetNextToken())
			gomega.Expect(err).To(harness.BeOK("next_token gets the next page (LV-04)"))
			gomega.Expect(second.GetEntries()).NotTo(gomega.BeEmpty(), "there are more volumes, and the page of next_token has none (LV-04)")
			gomega.Expect(ids(second)).NotTo(gomega.ContainElements(ids(first)), "the page of next_token is the next, and not the first again (LV-04)")
		}

		expectOnceOverPages(ctx, under, made, 1)
		expectOnceOverPages(ctx, under, made, 2)
	})
}
