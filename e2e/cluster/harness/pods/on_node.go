// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
)

// On returns the pods of all namespaces on the node.
func On(ctx context.Context, s *harness.Scenario, at topology.Node) ([]corev1.Pod, error) {
	var pods corev1.PodList
	if err := s.Target.Client.Resources().List(ctx, &pods, resources.WithFieldSelector("spec.nodeName="+at.Name)); err != nil {
		return nil, fmt.Errorf("listing the pods of node %s: %w", at.Name, err)
	}
	return pods.Items, nil
}

// Runs reports whether the pod runs, and is not being deleted.
func Runs(pod corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && pod.Status.Phase == corev1.PodRunning
}
