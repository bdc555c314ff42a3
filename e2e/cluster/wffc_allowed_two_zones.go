package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// allowedTopologies binds the scheduler as well: pods that would rather be elsewhere go,
// with their volumes, where the class allows volumes.
func wffcAllowedTwoZones(t *suite) {
	t.it("keeps pods and volumes in the two allowed zones, against the pods' preference",
		verdict.Case("wffc_allowed_two_zones", "TR-11", "TR-13", "K8S-A7"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(3)
			allowed, other := zones[:2], zones[2]
			class := s.class(ctx, workload.WaitForFirstConsumer().AllowedIn(segmentsOf(allowed...)...))
			const count = 3
			var claims [count]*corev1.PersistentVolumeClaim
			var pods [count]*corev1.Pod
			for i := range count {
				claims[i] = s.claim(ctx, class)
				pods[i] = s.pod(ctx, workload.PodWith(claims[i]).Preferring(other.segment))
			}

			for i := range count {
				s.mustRunIn(ctx, pods[i], allowed...)
				s.mustShareZone(ctx, claims[i], pods[i])
			}
		})
}
