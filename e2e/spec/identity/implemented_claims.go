// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// groupController is the clause that a plugin with GROUP_CONTROLLER_SERVICE implements that service.
const groupController = "SV-08"

// nodeInfo is the clause that a plugin which attaches volumes implements NodeGetInfo. Others may.
const nodeInfo = "NI-01"

// implementedClaims returns the cases that compare the claims with the implemented RPCs.
func implementedClaims() []harness.Case {
	return []harness.Case{{
		ID:           "claims_controller",
		Text:         "implements the controller RPCs whose capabilities it claims",
		Requirements: clausesOf(controllerRPCs(), groupController, "SV-09", "SV-10"),
		Needs:        harness.ClaimsPlugin(csi.PluginCapability_Service_CONTROLLER_SERVICE),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectImplemented(ctx, ofController(driver))
		},
	}, {
		ID:           "claims_node",
		Text:         "implements the node RPCs whose capabilities it claims, on every node",
		Requirements: clausesOf(nodeRPCs(), nodeInfo),
		Needs:        harness.NodeEndpoints(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, node := range driver.Nodes {
				expectImplemented(ctx, append(ofNode(node), infoOf(driver, node)))
			}
		},
	}, {
		ID:           "claims_nothing_else",
		Text:         "returns UNIMPLEMENTED for RPCs whose capabilities it does not claim",
		Requirements: []string{"GEN-14", "GEN-15", "GEN-16"},
		Run: func(ctx context.Context, driver *harness.Driver) {
			questions := ofController(driver)
			for _, node := range driver.Nodes {
				questions = append(questions, ofNode(node)...)
			}
			expectUnimplemented(ctx, questions)
		},
	}}
}

// expectImplemented fails the case, by the clause of each, if any of the RPCs that are claimed is UNIMPLEMENTED. Other
// refusals only mean that their requests are empty.
func expectImplemented(ctx context.Context, questions []question) {
	var clauses, missing []string
	for _, q := range questions {
		if q.claimed && status.Code(q.ask(ctx)) == codes.Unimplemented {
			clauses = append(clauses, q.clause)
			missing = append(missing, fmt.Sprintf("%s is claimed, and %s is UNIMPLEMENTED", q.capability, q.name))
		}
	}
	if len(missing) > 0 {
		suite.FailAbout(slices.Compact(clauses), "%s", strings.Join(missing, "\n"))
	}
}

// expectUnimplemented warns if any of the RPCs that are not claimed returns another code than UNIMPLEMENTED, or OK.
func expectUnimplemented(ctx context.Context, questions []question) {
	var others []string
	for _, q := range questions {
		if q.claimed {
			continue
		}
		err := q.ask(ctx)
		if code := status.Code(err); code != codes.Unimplemented && code <= codes.Unauthenticated {
			others = append(others, fmt.Sprintf("    %s, without %s: %s", q.name, q.capability, describe.Status(err)))
			continue
		}
		harness.ExpectRefused(ctx, "GEN-14", err, q.name+", whose capability is not claimed, is refused")
	}
	suite.Should(ctx, "GEN-14", len(others) == 0, "no CO calls an RPC whose capability is not claimed, and one that is not implemented is UNIMPLEMENTED:\n%s", strings.Join(others, "\n"))
}
