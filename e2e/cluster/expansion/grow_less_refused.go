// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// growLessRefused requests less than a claim has: the API server refuses that, and the claim stays unchanged.
func growLessRefused() harness.Case {
	return harness.Case{
		ID:           "grow_less_refused",
		Text:         "refuses a claim that requests less than it has, and leaves it unchanged",
		Requirements: []string{"K8S-H10"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			claims.MustBind(ctx, s, claim)
			before := claim.DeepCopy()
			less := *resource.NewQuantity(s.Target.VolumeSize.Value()/2, resource.BinarySI)

			answer := growth.Ask(ctx, s, claim, less)

			suite.Evidence(ctx, "answer", answer)
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.PlatformCheck(ctx, "K8S-H10", predicate.ShrinkRefused(answer, before, claim))
		},
	}
}
