// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// written returns a node of the zone that may be stopped, and a pod there that has written the name of the case's namespace
// to the volume of the claim.
func written(ctx context.Context, s *harness.Scenario, zone harness.Zone) (harness.Node, *corev1.PersistentVolumeClaim, *corev1.Pod) {
	node := s.NodeToStop(ctx, zone)
	claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
	pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment).OnNode(node.Hostname))
	s.MustRunIn(ctx, pod, zone)
	s.Write(ctx, pod, s.Namespace)
	return node, claim, pod
}
