// SPDX-License-Identifier: Apache-2.0

package pernode

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// list answers a call that lists volumes or snapshots with the lists of all controllers, one after another. lists is
// false for any other call.
func (c *Controllers) list(ctx context.Context, method string, request, response any, opts []grpc.CallOption) (lists bool, err error) {
	switch r := request.(type) {
	case *csi.ListVolumesRequest:
		all := response.(*csi.ListVolumesResponse)
		all.NextToken, err = c.walk(r.GetStartingToken(), r.GetMaxEntries() > 0, func(at int, token string) (int, string, error) {
			asked, page := proto.CloneOf(r), &csi.ListVolumesResponse{}
			asked.StartingToken = token
			err := c.nodes[at].Invoke(ctx, method, asked, page, opts...)
			all.Entries = append(all.Entries, page.GetEntries()...)
			return len(page.GetEntries()), page.GetNextToken(), err
		})
		return true, err
	case *csi.ListSnapshotsRequest:
		if r.GetSnapshotId() != "" || r.GetSourceVolumeId() != "" {
			return false, nil
		}
		all := response.(*csi.ListSnapshotsResponse)
		all.NextToken, err = c.walk(r.GetStartingToken(), r.GetMaxEntries() > 0, func(at int, token string) (int, string, error) {
			asked, page := proto.CloneOf(r), &csi.ListSnapshotsResponse{}
			asked.StartingToken = token
			err := c.nodes[at].Invoke(ctx, method, asked, page, opts...)
			all.Entries = append(all.Entries, page.GetEntries()...)
			return len(page.GetEntries()), page.GetNextToken(), err
		})
		return true, err
	default:
		return false, nil
	}
}

// A token begins with the number of the controller whose token follows. The first controller judges any other token.
var tokens = regexp.MustCompile(`^controller-(\d+)/`)

// walk reads page after page, starting at the page of the token, to the end, or to the first page that is not empty if pages
// are limited, and returns the token of the next page.
func (c *Controllers) walk(token string, limited bool, page func(at int, token string) (entries int, next string, err error)) (string, error) {
	at := 0
	if found := tokens.FindStringSubmatch(token); found != nil {
		if number, err := strconv.Atoi(found[1]); err == nil && number < len(c.nodes) {
			at, token = number, token[len(found[0]):]
		}
	}
	for {
		entries, next, err := page(at, token)
		switch {
		case err != nil:
			return "", err
		case next != "":
			token = next
		case at+1 < len(c.nodes):
			at, token = at+1, ""
		default:
			return "", nil
		}
		if limited && entries > 0 {
			return fmt.Sprintf("controller-%d/%s", at, token), nil
		}
	}
}
