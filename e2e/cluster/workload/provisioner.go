// SPDX-License-Identifier: Apache-2.0

package workload

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// Provisioner builds a Deployment of csi-provisioner, each pod with a recording proxy in place of a driver.
type Provisioner struct{ object *appsv1.Deployment }

const (
	// ProvisionerName names the Deployment, its service account, and the label app of its pods.
	ProvisionerName = "provisioner"
	// ProxyContainer is the name of the container that answers in the driver's place.
	ProxyContainer = "csi-topo-proxy"
)

// ProvisionerOf returns a Deployment with these images of csi-provisioner and of the proxy.
func ProvisionerOf(image, proxy string) *Provisioner {
	p := &Provisioner{read("provisioner", &appsv1.Deployment{})}
	p.pod().InitContainers[0].Image, p.pod().Containers[0].Image = proxy, image
	return p
}

// Replicas sets the number of pods.
func (p *Provisioner) Replicas(n int32) *Provisioner {
	p.object.Spec.Replicas = &n
	return p
}

// Flags adds arguments of csi-provisioner, after its existing arguments.
func (p *Provisioner) Flags(flags ...string) *Provisioner {
	p.pod().Containers[0].Args = append(p.pod().Containers[0].Args, flags...)
	return p
}

// NodeName makes the provisioner act for the node of this name, regardless of its own node.
func (p *Provisioner) NodeName(name string) *Provisioner {
	p.pod().Containers[0].Env = append(p.pod().Containers[0].Env, corev1.EnvVar{Name: "NODE_NAME", Value: name})
	return p
}

// Answering gives the proxy these rules from the start.
func (p *Provisioner) Answering(rules ...string) *Provisioner {
	for _, rule := range rules {
		p.pod().InitContainers[0].Args = append(p.pod().InitContainers[0].Args, "--rule="+rule)
	}
	return p
}

// Beside makes it run on nodes for pods like this one, since these nodes have the images.
func (p *Provisioner) Beside(pod *corev1.Pod) *Provisioner {
	p.pod().NodeSelector = pod.Spec.NodeSelector
	p.pod().Tolerations = pod.Spec.Tolerations
	p.pod().ImagePullSecrets = pod.Spec.ImagePullSecrets
	return p
}

// Object returns the Deployment as built so far.
func (p *Provisioner) Object() *appsv1.Deployment { return p.object }

func (p *Provisioner) pod() *corev1.PodSpec { return &p.object.Spec.Template.Spec }

// ProvisionerRole returns the rights of a provisioner in the cluster.
func ProvisionerRole() *rbacv1.ClusterRole { return read("provisioner-role", &rbacv1.ClusterRole{}) }
