// SPDX-License-Identifier: Apache-2.0

package workload

import corev1 "k8s.io/api/core/v1"

const (
	// SchedulerName names the scheduler's pod, its service account, and the ConfigMap with its configuration.
	SchedulerName = "scheduler"
	// SchedulerConfiguration is the key of the configuration in the ConfigMap.
	SchedulerConfiguration = "config.yaml"
)

// SchedulerOf returns a scheduler with the image and feature gates, on a node that has the image. The cluster's own
// scheduler does not place it.
func SchedulerOf(image, node string, gates ...string) *corev1.Pod {
	pod := read("scheduler", &corev1.Pod{})
	pod.Spec.NodeName = node
	container := &pod.Spec.Containers[0]
	container.Image = image
	for _, gate := range gates {
		container.Args = append(container.Args, "--feature-gates="+gate)
	}
	return pod
}

// ScheduledBy lets the scheduler of this name place the pod.
func (p *Pod) ScheduledBy(scheduler string) *Pod {
	p.object.Spec.SchedulerName = scheduler
	return p
}
