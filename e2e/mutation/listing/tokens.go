// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// ofTokens returns drivers that interpret tokens differently once their volumes have changed, or while a list is read.
func ofTokens() map[string]mutation.Expectation {
	const later, pages = "list_volumes_invalid_token_later", "list_volumes_pages"
	return map[string]mutation.Expectation{
		"takes any token for the beginning once a volume is deleted": mutation.Expect(mutation.Driver{Fault: forgettingTokens(0), Only: []string{later}},
			mutation.Fails(later, "LV-17")),
		"takes any token for the beginning of pages once a volume is deleted": mutation.Expect(mutation.Driver{Fault: forgettingTokens(1), Only: []string{later}},
			mutation.Fails(later, "LV-17")),
		"INTERNAL for an invalid token while a list is read": mutation.Expect(mutation.Driver{Fault: failingBetweenPages(), Only: []string{later}},
			mutation.Fails(later, "LV-17")),
		"counts pages, whatever their sizes": mutation.Wrong(offsets(func(all []*listEntry, before, most int) *listResponse {
			response := paged(all, before*most, most, 0)
			if response.GetNextToken() != "" {
				response.NextToken = strconv.Itoa(before + 1)
			}
			return response
		}, number), mutation.Fails(pages, "LV-04")),
		"ABORTED for a token with another max_entries":  mutation.Wrong(ofOneSize(refusingOthers(codes.Aborted)), mutation.Passes(pages)),
		"rejects a token with another max_entries":      mutation.Wrong(ofOneSize(refusingOthers(codes.InvalidArgument)), mutation.Warns(pages, "LV-17")),
		"INTERNAL for a token with another max_entries": mutation.Wrong(ofOneSize(refusingOthers(codes.Internal)), mutation.Fails(pages, "LV-04")),
		"has pages of the size of the first": mutation.Wrong(ofOneSize(func(r *listRequest, first int32) error {
			r.MaxEntries = first
			return nil
		}), mutation.Fails("list_volumes_max_entries", "LV-03")),
	}
}

// ofOneSize makes a driver that keeps the max_entries that it returned a token for.
func ofOneSize(check func(r *listRequest, size int32) error) mutation.Fault {
	var sizes sync.Map // by token
	return mutation.Answering(func(r *listRequest, response *listResponse) {
		sizes.Store(response.GetNextToken(), r.GetMaxEntries())
	}).Over(mutation.Checking(func(r *listRequest) error {
		if size, returned := sizes.Load(r.GetStartingToken()); returned && r.GetStartingToken() != "" {
			return check(r, size.(int32))
		}
		return nil
	}))
}

// refusingOthers refuses a token with another max_entries than the previous page's.
func refusingOthers(code codes.Code) func(r *listRequest, size int32) error {
	return func(r *listRequest, size int32) error {
		if size == r.GetMaxEntries() {
			return nil
		}
		return status.Error(code, "the token is of a list with another max_entries")
	}
}

// forgettingTokens makes a driver that answers an invalid token with the first page instead of ABORTED once a volume was
// deleted, until it creates another volume, if max_entries is at least the given number.
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

const (
	pageAfterPage = "list_volumes_has_each_once list_volumes_without_deleted list_volumes_pages list_volumes_in_one_page list_volumes_while_volumes_change"
	oneOfPages    = "list_volumes_capacity list_volumes_published_nodes get_volume_as_listed"
)

// endless returns drivers whose pages never end: they restart after the last page.
func endless() map[string]mutation.Expectation {
	var pages atomic.Int64
	says := mutation.Fails(pageAfterPage+" "+oneOfPages, "LV-04")
	return map[string]mutation.Expectation{
		// On a busy machine, the other cases do not read enough of its pages to notice.
		"its pages never end":                 mutation.Wide(beginningAnew(func() string { return fmt.Sprint(pages.Add(1)) }), mutation.Fails("list_volumes_pages", "LV-04")),
		"its next_token is the same for ever": mutation.Wide(beginningAnew(func() string { return "" }), says),
	}
}

func beginningAnew(number func() string) mutation.Fault {
	const more = "more"
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		if strings.HasPrefix(r.GetStartingToken(), more) {
			r.StartingToken = ""
		}
		response, err := right.ListVolumes(ctx, r)
		if err == nil && response.GetNextToken() == "" {
			response.NextToken = more + number()
		}
		return response, err
	})
}
