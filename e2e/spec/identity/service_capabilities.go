// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// serviceCapabilities returns the case about ControllerGetCapabilities and NodeGetCapabilities. The suite has called both
// before the first case; sidecars and the kubelet call them again whenever they start.
func serviceCapabilities() []harness.Case {
	return []harness.Case{{
		ID:           "claims_again",
		Text:         "answers ControllerGetCapabilities and NodeGetCapabilities each time, and should claim the same",
		Requirements: []string{"SV-11", "SV-12"},
		Run: func(ctx context.Context, driver *harness.Driver) {
			if driver.ClaimsPlugin(csi.PluginCapability_Service_CONTROLLER_SERVICE) {
				expectControllerClaims(ctx, driver)
			}
			for _, node := range driver.Nodes {
				expectNodeClaims(ctx, node)
			}
			if len(driver.Nodes) == 0 {
				suite.Reduced(ctx, "shown at the controller only: there are no node endpoints")
			}
		},
	}}
}

// expectControllerClaims fails the case if ControllerGetCapabilities is no longer implemented, and warns if it lists other
// capabilities than when the run began.
func expectControllerClaims(ctx context.Context, driver *harness.Driver) {
	response, err := driver.Controller.ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{})
	suite.Must("SV-11", status.Code(err) != codes.Unimplemented, "ControllerGetCapabilities is UNIMPLEMENTED, and every controller plugin implements it")
	var claimed []csi.ControllerServiceCapability_RPC_Type
	for _, capability := range harness.NeedOK(response, err).GetCapabilities() {
		claimed = append(claimed, capability.GetRpc().GetType())
	}
	expectSameClaims(ctx, "SV-11", "ControllerGetCapabilities", csi.ControllerServiceCapability_RPC_Type_name, claimed, driver.Claims)
}

// expectNodeClaims is like expectControllerClaims, for a node.
func expectNodeClaims(ctx context.Context, node *harness.Node) {
	response, err := node.NodeGetCapabilities(ctx, &csi.NodeGetCapabilitiesRequest{})
	suite.Must("SV-12", status.Code(err) != codes.Unimplemented, "NodeGetCapabilities is UNIMPLEMENTED at %s, and every node plugin implements it", node)
	var claimed []csi.NodeServiceCapability_RPC_Type
	for _, capability := range harness.NeedOK(response, err).GetCapabilities() {
		claimed = append(claimed, capability.GetRpc().GetType())
	}
	expectSameClaims(ctx, "SV-12", fmt.Sprintf("NodeGetCapabilities at %s", node), csi.NodeServiceCapability_RPC_Type_name, claimed, node.Claims)
}

// expectSameClaims warns of each capability that is claimed now and was not when the run began, or the other way around. names
// are all capabilities by their numbers.
func expectSameClaims[RPC ~int32](ctx context.Context, clause, rpc string, names map[int32]string, claimed []RPC, before func(RPC) bool) {
	for _, i := range slices.Sorted(maps.Keys(names)) {
		now := slices.Contains(claimed, RPC(i))
		suite.Should(ctx, clause, i == 0 || now == before(RPC(i)), "%s now %s %s, unlike when the run began: a CO that has asked once relies on the first answer", rpc, lists(now), names[i]) // 0 is UNKNOWN
	}
}
