// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const (
	pageAfterPage = "list_volumes_has_each_once list_volumes_without_deleted list_volumes_pages list_volumes_in_one_page list_volumes_while_volumes_change"
	oneOfPages    = "list_volumes_capacity list_volumes_published_nodes get_volume_as_listed"
)

// endless returns drivers whose pages never end: they begin again after the last page.
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
