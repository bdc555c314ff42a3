// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// growForbidden requests growth in a class that does not allow it: the API server refuses.
func growForbidden() harness.Case {
	return harness.Case{
		ID:           "grow_forbidden",
		Text:         "refuses to grow a claim of a class that does not allow it",
		Requirements: []string{"K8S-H1"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().NotExpandable()))
			claims.MustBind(ctx, s, claim)

			err := growth.Ask(ctx, s, claim, growth.Times(s, 2))

			suite.Evidence(ctx, "answer", err)
			if !apierrors.IsForbidden(err) {
				s.Fail("growing claim %s: wanted Forbidden, found %v", claim.Name, err)
			}
		},
	}
}
