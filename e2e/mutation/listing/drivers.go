// SPDX-License-Identifier: Apache-2.0

// Package listing has drivers that list volumes wrongly, or report their health wrongly, and correct drivers that lack
// something.
package listing

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(lacks(), faults(), endless(), attachedOnly(), ofTokens())
}

const (
	lists = "list_volumes_has_each_once list_volumes_without_deleted list_volumes_capacity " + pages
	pages = "list_volumes_max_entries list_volumes_pages list_volumes_in_one_page list_volumes_while_volumes_change " +
		"list_volumes_invalid_token list_volumes_invalid_token_later list_volumes_number_as_token list_volumes_negative_max_entries"
	gets    = "get_volume_unknown get_volume_as_created"
	health  = "volume_health_of_new_volume volume_health_unknown"
	healths = "volume_health_list volume_health_list_of_deleted volume_health_list_invalid_token volume_health_list_negative_max_entries"
	nodes   = "list_volumes_published_nodes get_volume_published_nodes"
)

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"the pages of one list at a time": mutation.Expect(mutation.Driver{Fault: onePager(), Target: func(t *harness.Target) {
			t.Parallel, t.Profile.Capacity, t.Profile.Exclusive = 8, profile.AtLeast, false
		}},
			mutation.Passes("list_volumes_pages list_volumes_has_each_once list_volumes_without_deleted list_volumes_capacity "+gets)),
		"no capability LIST_VOLUMES": mutation.Without(csi.ControllerServiceCapability_RPC_LIST_VOLUMES,
			mutation.Skips(lists+" get_volume_as_listed", suite.ByCapability), mutation.Passes(gets)),
		"no capability GET_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_GET_VOLUME,
			mutation.Skips(gets+" get_volume_as_listed", suite.ByCapability), mutation.Passes(lists)),
		"no capability LIST_VOLUME_HEALTH": mutation.Without(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH,
			mutation.Skips(healths, suite.ByCapability), mutation.Passes(health)),
		"no attaching": mutation.Wrong(mutation.Lacking(mutation.Attaching...), mutation.Skips(nodes, suite.ByCapability),
			mutation.Passes(lists+" "+gets)),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(nodes, suite.ByEnvironment), mutation.Passes(lists+" "+gets)),
		"no topology": mutation.WithoutTopology(mutation.Passes(lists + " " + gets + " " + health + " " + healths + " " + nodes)),
		"one segment": mutation.Started(mutation.InZones("Z2"), mutation.Passes(lists+" "+gets+" "+nodes)),
	}
}

func onePager() mutation.Fault {
	var lists atomic.Int64
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		if r.GetStartingToken() == "" {
			lists.Add(1)
		}
		list := fmt.Sprintf("%d/", lists.Load())
		token, ok := strings.CutPrefix(r.GetStartingToken(), list)
		if !ok && r.GetStartingToken() != "" {
			return nil, status.Error(codes.Aborted, "another list was begun since")
		}
		r = proto.CloneOf(r)
		r.StartingToken = token
		response, err := right.ListVolumes(ctx, r)
		if response.GetNextToken() != "" {
			response.NextToken = list + response.GetNextToken()
		}
		return response, err
	})
}
