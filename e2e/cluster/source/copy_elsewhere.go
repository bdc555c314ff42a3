// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// copyElsewhere creates a copy for a node in another zone than the source's, which the scheduler may select, since it does
// not know the source's zone. The driver then copies the data to the node's zone, or refuses. If the copy is in the
// source's zone, the pod never gets a node.
func copyElsewhere() []harness.Case {
	const stuck = "after %s the pod keeps its node: Kubernetes looks for another one after RESOURCE_EXHAUSTED only (CREATE-08)"
	var cases []harness.Case
	for _, k := range kinds() {
		cases = append(cases, harness.Case{
			ID:           "copy_elsewhere_" + k.id,
			Text:         k.does + " of one zone for a pod in another, where the pod then has its data, or refuses with RESOURCE_EXHAUSTED",
			Requirements: []string{"K8S-B20", "CREATE-08", "CREATE-04", "CREATE-05", "TR-04"},
			Needs:        k.inZones(2),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(2)
				class, original := written(ctx, s, zones[0])

				claim, pod := copyOf(ctx, s, class, k.take(ctx, s, original), zones[1])

				volume, code := claims.MustBindOrBeRefused(ctx, s, claim, codes.ResourceExhausted, codes.InvalidArgument, codes.NotFound)
				switch code {
				case codes.OK:
					s.Check(predicate.AccessibleFrom(volume, zones[1].Segment))
					pods.MustRunIn(ctx, s, pod, zones[1])
					data.MustRead(ctx, s, pod, s.Namespace)
				case codes.InvalidArgument: // an incompatible source
					suite.Warn(ctx, "CREATE-04", stuck, "INVALID_ARGUMENT")
				case codes.NotFound: // the driver does not find the source in the node's zone
					suite.Warn(ctx, "CREATE-05", stuck, "NOT_FOUND")
				}
			},
		})
	}
	return cases
}
