// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerIncompleteObjects shows that an object without nodes or without bytes is useless, and that an object with an
// empty selector is for all nodes.
func schedulerIncompleteObjects() harness.Case {
	return harness.Case{
		ID:           "scheduler_incomplete_objects",
		Text:         "finds no room in an object without nodeTopology, nor in one without capacity, and room everywhere in one for all nodes",
		Requirements: []string{"K8S-E4"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			driver := standin.Create(ctx, s, true)
			for _, incomplete := range []standin.Capacity{
				{Nodes: nil, Bytes: gi(100)},
				{Nodes: standin.In(zones[0])},
			} {
				class := driver.CreateClass(ctx)
				standin.CreateCapacity(ctx, s, class, incomplete)
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
				pod := pods.Create(ctx, s, workload.PodWith(claim).In(zones[0].Segment))
				pods.MustBeUnschedulable(ctx, s, pod, predicate.NoStorage)
			}

			class := driver.CreateClass(ctx)
			standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: &metav1.LabelSelector{}, Bytes: gi(100)})
			for _, zone := range zones {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
				pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
				claims.MustSelect(ctx, s, claim, zone)
			}
		},
	}
}
