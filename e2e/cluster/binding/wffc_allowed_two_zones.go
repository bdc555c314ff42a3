// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// allowedTopologies binds the scheduler as well: pods that would rather be elsewhere go,
// with their volumes, where the class allows volumes.
func wffcAllowedTwoZones() harness.Case {
	return harness.Case{
		ID:           "wffc_allowed_two_zones",
		Text:         "keeps pods and volumes in the two allowed zones, against the pods' preference",
		Requirements: []string{"TR-11", "TR-13", "K8S-A7"},
		Needs:        harness.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(3)
			allowed, other := zones[:2], zones[2]
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer().AllowedIn(harness.SegmentsOf(allowed...)...))
			const count = 3
			var claims [count]*corev1.PersistentVolumeClaim
			var pods [count]*corev1.Pod
			for i := range count {
				claims[i] = s.CreateClaim(ctx, class)
				pods[i] = s.CreatePod(ctx, workload.PodWith(claims[i]).Preferring(other.Segment))
			}

			for i := range count {
				s.MustRunIn(ctx, pods[i], allowed...)
				s.MustShareZone(ctx, claims[i], pods[i])
			}
		},
	}
}
