package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// max_entries is kept, and next_token leads to what remains: every snapshot is on one of the pages.
func snapshotsPaged(s *harness.Suite) {
	labels := verdict.Case("snapshots_paged", "LS-02", "LS-03")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
	s.Case("lists three snapshots on pages of at most two", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const perPage = 2
		volume := under.NeedVolume(ctx, under.Volume(1))
		var wanted []string
		for range perPage + 1 {
			wanted = append(wanted, under.NeedSnapshot(ctx, volume).GetSnapshotId())
		}
		request := &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId(), MaxEntries: perPage}

		first := page(ctx, under, request)
		gomega.Expect(first.GetEntries()).To(gomega.HaveLen(perPage), "there are %d snapshots, and the page has room for %d (LS-02)", len(wanted), perPage)
		gomega.Expect(first.GetNextToken()).NotTo(gomega.BeEmpty(), "next_token is set when more remain (LS-03)")

		request.StartingToken = first.GetNextToken()
		second := page(ctx, under, request)
		gomega.Expect(len(second.GetEntries())).To(gomega.BeNumerically("<=", perPage), "a page has no more than max_entries (LS-02)")
		gomega.Expect(append(ids(first), ids(second)...)).To(gomega.ConsistOf(wanted), "starting_token continues where the page before ended (LS-03)")
		gomega.Expect(second.GetNextToken()).To(gomega.BeEmpty(), "next_token is empty when nothing remains (LS-03)")
	})
}
