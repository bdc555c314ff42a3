// SPDX-License-Identifier: Apache-2.0

package workload

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// SidecarName names the Deployment of a sidecar, its service account, and the label app of its pods.
const SidecarName = "sidecar"

// SidecarOf returns a Deployment of two pods with these images of a sidecar and of the proxy, which answers by the rules.
// They run on nodes for pods like beside, since these nodes have the images.
func SidecarOf(image, proxy string, beside *corev1.Pod, rules []string) *appsv1.Deployment {
	deployment := read("sidecar", &appsv1.Deployment{})
	spec := &deployment.Spec.Template.Spec
	spec.NodeSelector, spec.Tolerations, spec.ImagePullSecrets = beside.Spec.NodeSelector, beside.Spec.Tolerations, beside.Spec.ImagePullSecrets
	spec.InitContainers[0].Image, spec.Containers[0].Image = proxy, image
	for _, rule := range rules {
		spec.InitContainers[0].Args = append(spec.InitContainers[0].Args, "--rule="+rule)
	}
	return deployment
}

// SidecarRole returns the rights of a sidecar in the cluster.
func SidecarRole() *rbacv1.ClusterRole { return read("sidecar-role", &rbacv1.ClusterRole{}) }
