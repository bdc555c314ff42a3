package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A token that no list returned is ABORTED.
func snapshotsInvalidToken(s *harness.Suite) {
	labels := verdict.Case("snapshots_invalid_token", "LS-06", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Volumes = 0
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
	s.Case("refuses a starting_token that it did not return", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := &csi.ListSnapshotsRequest{StartingToken: "csi-topo-no-such-token", MaxEntries: 1, Secrets: under.Profile().Secrets.ListSnapshots}

		_, err := under.Controller.ListSnapshots(ctx, request)

		gomega.Expect(err).To(harness.BeRefused("a starting_token that is not valid is ABORTED (LS-06)", codes.Aborted))
	})
}
