// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/machines"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// written returns a node of the zone that may be stopped, and a pod there that has written the name of the case's namespace
// to the volume of the claim.
func written(ctx context.Context, s *harness.Scenario, zone topology.Zone) (topology.Node, *corev1.PersistentVolumeClaim, *corev1.Pod) {
	node := machines.NodeToStop(ctx, s, zone)
	claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
	pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment).OnNode(node.Hostname))
	pods.MustRunIn(ctx, s, pod, zone)
	data.Write(ctx, s, pod, s.Namespace)
	return node, claim, pod
}
