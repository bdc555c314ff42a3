// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// wffcAllowedTwoZones shows that allowedTopologies binds the scheduler as well: pods
// that prefer another zone go, with their volumes, where the class allows volumes.
func wffcAllowedTwoZones() harness.Case {
	return harness.Case{
		ID:           "wffc_allowed_two_zones",
		Text:         "keeps pods and volumes in the two allowed zones, against the pods' preference",
		Requirements: []string{"TR-11", "TR-13", "K8S-A7"},
		Needs:        needs.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(3)
			allowed, other := zones[:2], zones[2]
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().AllowedIn(topology.SegmentsOf(allowed...)...))
			const count = 3
			var claimed [count]*corev1.PersistentVolumeClaim
			var running [count]*corev1.Pod
			for i := range count {
				claimed[i] = claims.Create(ctx, s, class)
				running[i] = pods.Create(ctx, s, workload.PodWith(claimed[i]).Preferring(other.Segment))
			}

			for i := range count {
				pods.MustRunIn(ctx, s, running[i], allowed...)
				claims.MustShareZone(ctx, s, claimed[i], running[i])
			}
		},
	}
}
