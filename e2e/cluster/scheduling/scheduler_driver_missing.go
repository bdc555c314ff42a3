// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerDriverMissing creates pods that prefer the first zone, where their driver is not registered. They run there if
// the CSIDriver allows that; otherwise they go to the other zone until the driver is registered.
func schedulerDriverMissing() harness.Case {
	return harness.Case{
		ID:           "scheduler_driver_missing",
		Text:         "keeps pods from nodes without their driver where its CSIDriver says so, from Kubernetes 1.37 on",
		Requirements: []string{"K8S-J5"},
		Needs:        needs.All(needs.Zones(2), needs.Kubernetes("1.37", "the scheduler honors preventPodSchedulingIfMissing")),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			liked, other := zones[0], zones[1]
			mustSelect := func(class *storagev1.StorageClass, wanted topology.Zone) {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				pods.Create(ctx, s, workload.PodWith(claim).InAny(liked.Segment, other.Segment).Preferring(liked.Segment))
				claims.MustSelect(ctx, s, claim, wanted)
			}

			mustSelect(standin.Create(ctx, s, false).CreateClass(ctx), liked)
			driver := standin.CreateDemanding(ctx, s)
			class := driver.CreateClass(ctx)
			driver.RegisterIn(ctx, other)
			mustSelect(class, other)
			driver.RegisterIn(ctx, liked)
			mustSelect(class, liked)
		},
	}
}
