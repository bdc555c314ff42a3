// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// NodeReady requires the node to be ready, without the taints of an unready node.
func NodeReady(node *corev1.Node) error {
	for _, taint := range node.Spec.Taints {
		if slices.Contains([]string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeOutOfService}, taint.Key) {
			return fmt.Errorf("node %s has the taint %s", node.Name, taint.ToString())
		}
	}
	if ready := Readiness(node); ready.Status != corev1.ConditionTrue {
		return fmt.Errorf("node %s is not ready: %s %s", node.Name, ready.Reason, ready.Message)
	}
	return nil
}

// NodeLost requires the cluster to have noticed that the node no longer reports.
func NodeLost(node *corev1.Node) error {
	if ready := Readiness(node); ready.Status == corev1.ConditionTrue {
		return fmt.Errorf("node %s is still considered ready", node.Name)
	}
	return nil
}

// Readiness returns the node's condition Ready, as its kubelet last reported it or the cluster set it.
func Readiness(node *corev1.Node) corev1.NodeCondition {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition
		}
	}
	return corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionUnknown}
}

// NotInUse requires the node's kubelet to report that it does not use the volume of the driver.
func NotInUse(node *corev1.Node, driver, volumeID string) error {
	if slices.Contains(node.Status.VolumesInUse, corev1.UniqueVolumeName("kubernetes.io/csi/"+driver+"^"+volumeID)) {
		return mismatch("status.volumesInUse of node "+node.Name, "no volume "+volumeID, fmt.Sprint(node.Status.VolumesInUse))
	}
	return nil
}

// StartedAgain requires each of the pods to be ready, with only new containers.
func StartedAgain(pods []corev1.Pod, before map[string]bool) error {
	for _, pod := range pods {
		for _, container := range pod.Status.ContainerStatuses {
			if before[container.ContainerID] {
				return fmt.Errorf("container %s of pod %s is not known to have been started again", container.Name, pod.Name)
			}
		}
		if err := PodRuns(&pod); err != nil {
			return err
		}
	}
	return nil
}
