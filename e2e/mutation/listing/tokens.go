// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// ofTokens returns drivers that interpret tokens differently once their volumes have changed, or while a list is
// read.
func ofTokens() map[string]mutation.Expectation {
	const later = "list_volumes_invalid_token_later"
	return map[string]mutation.Expectation{
		"takes any token for the beginning once a volume is deleted": {
			Driver: mutation.Driver{Fault: forgettingTokens(0), Only: []string{later}},
			Cases:  []mutation.Case{mutation.Fails(later, "LV-17")},
		},
		"takes any token for the beginning of pages once a volume is deleted": {
			Driver: mutation.Driver{Fault: forgettingTokens(1), Only: []string{later}},
			Cases:  []mutation.Case{mutation.Fails(later, "LV-17")},
		},
		"INTERNAL for an invalid token while a list is read": {
			Driver: mutation.Driver{Fault: failingBetweenPages(), Only: []string{later}},
			Cases:  []mutation.Case{mutation.Fails(later, "LV-17")},
		},
	}
}

// forgettingTokens makes a driver that knows no token once a volume was deleted, until it makes one, where max_entries is the least or
// more.
func forgettingTokens(least int32) mutation.Fault {
	var forgotten atomic.Bool
	return mutation.InsteadOf(codes.Aborted, func(ctx context.Context, right mutation.Right, r *listRequest, refused error) (*listResponse, error) {
		if !forgotten.Load() || r.GetMaxEntries() < least {
			return nil, refused
		}
		r.StartingToken = ""
		return right.ListVolumes(ctx, r)
	}).And(mutation.Asking(func(*csi.CreateVolumeRequest) { forgotten.Store(false) })).
		And(mutation.Asking(func(*csi.DeleteVolumeRequest) { forgotten.Store(true) }))
}

// failingBetweenPages makes a driver that fails for a token that is not of the list which is being read.
func failingBetweenPages() mutation.Fault {
	var reading atomic.Bool
	return mutation.Ending(func(_ *listRequest, response *listResponse, err error) (*listResponse, error) {
		switch {
		case err == nil:
			reading.Store(response.GetNextToken() != "")
		case status.Code(err) == codes.Aborted && reading.Load():
			err = status.Error(codes.Internal, "the token is of another list")
		}
		return response, err
	})
}
