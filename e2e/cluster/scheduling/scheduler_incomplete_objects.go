// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// An object that names no nodes is of no use, nor is one that names no bytes; one whose selector is empty is for all nodes.
func schedulerIncompleteObjects() harness.Case {
	return harness.Case{
		ID:           "scheduler_incomplete_objects",
		Text:         "finds no room in an object without nodeTopology, nor in one without capacity, and room everywhere in one for all nodes",
		Requirements: []string{"K8S-E4"},
		Needs:        harness.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			driver := s.CreateStandIn(ctx, true)
			for _, incomplete := range []harness.Capacity{
				{Nodes: nil, Bytes: gi(100)},
				{Nodes: harness.In(zones[0])},
			} {
				class := driver.CreateClass(ctx)
				s.CreateCapacity(ctx, class, incomplete)
				claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
				pod := s.CreatePod(ctx, workload.PodWith(claim).In(zones[0].Segment))
				s.MustBeUnschedulable(ctx, pod, predicate.NoStorage)
			}

			class := driver.CreateClass(ctx)
			s.CreateCapacity(ctx, class, harness.Capacity{Nodes: &metav1.LabelSelector{}, Bytes: gi(100)})
			for _, zone := range zones {
				claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
				s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
				s.MustSelect(ctx, claim, zone)
			}
		},
	}
}
