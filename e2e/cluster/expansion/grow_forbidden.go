// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// A class that does not allow its volumes to grow makes the API server refuse the wish.
func growForbidden() harness.Case {
	return harness.Case{
		ID:           "grow_forbidden",
		Text:         "refuses to grow a claim of a class that does not allow it",
		Requirements: []string{"K8S-H1"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().NotExpandable()))
			s.MustBind(ctx, claim)

			err := s.Grow(ctx, claim, s.Times(2))

			suite.Evidence(ctx, "answer", err)
			if !apierrors.IsForbidden(err) {
				s.Fail("growing claim %s: wanted Forbidden, found %v", claim.Name, err)
			}
		},
	}
}
