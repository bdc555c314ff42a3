// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotsInvalidToken warns of a driver that accepts any token: a token may be a position in an order.
func snapshotsInvalidToken() harness.Case {
	return harness.Case{
		ID:           "snapshots_invalid_token",
		Text:         "returns ABORTED for a starting_token that it never returned",
		Requirements: []string{"LS-06", "GEN-15", "GEN-16"},
		Needs:        harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectUnknownToken(ctx, "ListSnapshots", listUnknown(ctx, driver))
		},
	}
}

// snapshotsInvalidTokenLater sends an invalid token while another token is valid, and once a snapshot was deleted, which may
// make a driver forget tokens. snapshots_invalid_token judges a driver that accepts any token.
func snapshotsInvalidTokenLater() harness.Case {
	return harness.Case{
		ID:           "snapshots_invalid_token_later",
		Text:         "returns ABORTED, between two pages and after a snapshot was deleted, for a starting_token that it never returned",
		Requirements: []string{"LS-06", "GEN-15", "GEN-16"},
		Needs:        needsList(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			taken := takeThree(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)))
			if listUnknown(ctx, driver) == nil {
				suite.Skip(suite.ByCapability, "ListSnapshots accepts any starting_token: see snapshots_invalid_token")
			}

			_, _ = driver.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{MaxEntries: perPage, Secrets: driver.Profile().Secrets.ListSnapshots}) // a driver without such small pages has no valid token
			expectUnknownToken(ctx, "between two pages, ListSnapshots", listUnknown(ctx, driver))
			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, taken[0])))
			err := listUnknown(ctx, driver)
			suite.Must("LS-06", err != nil, "ListSnapshots refused the starting_token %q, which it never returned, and accepts it after a snapshot was deleted: a token that is not valid is ABORTED", unknownToken)
			expectUnknownToken(ctx, "after a snapshot was deleted, ListSnapshots", err)
		},
	}
}

const unknownToken = "csi-topo-no-such-token"

// listUnknown requests a page that begins at a token that no driver returns.
func listUnknown(ctx context.Context, driver *harness.Driver) error {
	_, err := driver.Controller.ListSnapshots(attempt.Once(ctx, codes.Aborted), &csi.ListSnapshotsRequest{StartingToken: unknownToken, Secrets: driver.Profile().Secrets.ListSnapshots})
	return err
}

func expectUnknownToken(ctx context.Context, call string, err error) {
	if err == nil {
		suite.Warn(ctx, "LS-06", "%s accepts the starting_token %q, which it never returned: a CO whose token is no longer valid must get ABORTED", call, unknownToken)
		return
	}
	harness.ExpectRefused(ctx, "LS-06", err, call+" with a starting_token that it never returned is ABORTED", codes.Aborted)
}
