// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// listVolumesInvalidToken warns of a driver that accepts any token: a token may be a position in an order, such as the last
// id of the previous page.
func listVolumesInvalidToken() harness.Case {
	return harness.Case{
		ID:           "list_volumes_invalid_token",
		Text:         "returns ABORTED for a starting_token that it never returned",
		Requirements: []string{"LV-17", "GEN-15", "GEN-16"},
		Needs:        listingVolumes(0),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectUnknownToken(ctx, "LV-17", "ListVolumes", getUnknown(ctx, driver, 0))
		},
	}
}

// listVolumesInvalidTokenLater sends an invalid token while another token is valid, and once a volume was deleted, which may
// make a driver forget tokens. list_volumes_invalid_token judges a driver that accepts any token.
func listVolumesInvalidTokenLater() harness.Case {
	return harness.Case{
		ID:           "list_volumes_invalid_token_later",
		Text:         "returns ABORTED, between two pages and after a volume was deleted, for a starting_token that it never returned",
		Requirements: []string{"LV-17", "GEN-15", "GEN-16"},
		Needs:        listingVolumes(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := newVolumes(ctx, driver, 2)
			if getUnknown(ctx, driver, 0) == nil {
				suite.Skip(suite.ByCapability, "ListVolumes accepts any starting_token: see list_volumes_invalid_token")
			}

			_, _ = getPage(ctx, driver, 1, "") // a driver without such small pages has no token that is valid
			expectUnknownToken(ctx, "LV-17", "between two pages, ListVolumes", getUnknown(ctx, driver, 0))
			deletion.Need(ctx, driver, created[0])
			for _, most := range []int32{0, taken(ctx, driver, 1)} {
				err := getUnknown(ctx, driver, most)
				suite.Must("LV-17", err != nil, "ListVolumes refused the starting_token %q, which it never returned, and accepts it after a volume was deleted, with max_entries %d: a token that is not valid is ABORTED", unknownToken, most)
				expectUnknownToken(ctx, "LV-17", "after a volume was deleted, ListVolumes", err)
			}
		},
	}
}

// getUnknown asks for a page that begins at a token that no driver returns.
func getUnknown(ctx context.Context, driver *harness.Driver, most int32) error {
	_, err := getPage(attempt.Once(ctx, codes.Aborted), driver, most, unknownToken)
	return err
}

const unknownToken = "csi-topo-no-such-token"

func expectUnknownToken(ctx context.Context, clause, call string, err error) {
	if err == nil {
		suite.Warn(ctx, clause, "%s accepts the starting_token %q, which it never returned: a CO whose token is no longer valid must get ABORTED", call, unknownToken)
		return
	}
	harness.ExpectRefused(ctx, clause, err, call+" with a starting_token that it never returned is ABORTED", codes.Aborted)
}

// listVolumesNumberAsToken sends tokens that a driver with numeric tokens may mistake for its own. A number out of range has
// crashed a driver.
func listVolumesNumberAsToken() harness.Case {
	return harness.Case{
		ID:           "list_volumes_number_as_token",
		Text:         "answers a number as starting_token with a page or ABORTED, and still answers afterwards",
		Requirements: []string{"LV-03", "LV-17", "GEN-08", "GEN-15", "GEN-16"},
		Needs:        listingVolumes(1),
		Deadly:       true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			most := taken(ctx, driver, 1)
			newVolumes(ctx, driver, 1)
			suite.Each([]string{"0", "1", "-1", "4294967296"}, func(token string) {
				if _, err := getPage(attempt.Once(attempt.Unbroken(ctx), codes.Aborted), driver, most, token); err != nil {
					harness.ExpectRefused(ctx, "LV-17", err, "ListVolumes with starting_token "+token+" returns a page, or ABORTED", codes.Aborted)
				}
				_, err := getPage(attempt.Unbroken(ctx), driver, most, "")
				harness.ExpectOK("GEN-08", err, "ListVolumes without a starting_token is OK, after one with starting_token "+token)
			})
		},
	}
}
