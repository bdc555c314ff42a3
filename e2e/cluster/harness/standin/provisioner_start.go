// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

var provisionerImage = regexp.MustCompile(`(^|/)csi-provisioner(:|@|$)`)

// StartProvisioner starts a provisioner for the stand-in. It runs until the case ends, and then deletes the volumes that it
// was answered.
func (d *StandIn) StartProvisioner(ctx context.Context, how Provisioning) *Provisioner {
	s := d.s
	s.Injects = true
	image, beside := imageBesideDriver(ctx, s)
	p := &Provisioner{s: s, driver: d, namespace: s.CreateNamespace(ctx), pods: map[string]*proxied{}}
	built := workload.ProvisionerOf(image, s.Target.WorkloadImage).Beside(beside).
		Flags("--feature-gates=Topology=true").Flags(how.Flags...).Flags(s.Target.ProvisionerFlags...).Answering(d.firstRules(how)...)
	if how.Replicas > 0 {
		built.Replicas(how.Replicas)
	}
	if how.Node.Name != "" {
		built.NodeName(how.Node.Name)
	}
	s.OnCleanUp(p.retire)
	p.permit(ctx)
	deployment := built.Object()
	deployment.Namespace = p.namespace
	s.Need(s.Resources().Create(ctx, deployment), "creating a provisioner")
	s.Until(ctx, s.Target.Timeouts.Restart, "provisioner of the case's own running", s.Look(deployment, func() error {
		return provisionerRuns(deployment)
	}))
	s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	return p
}

func provisionerRuns(deployment *appsv1.Deployment) error {
	if ready := deployment.Status.ReadyReplicas; ready < *deployment.Spec.Replicas {
		return fmt.Errorf("%d of %d pods are ready", ready, *deployment.Spec.Replicas)
	}
	return nil
}

// imageBesideDriver is that of the csi-provisioner beside the driver under test, and a pod that runs it.
func imageBesideDriver(ctx context.Context, s *harness.Scenario) (string, *corev1.Pod) {
	for _, pod := range harness.MustFindControllers(ctx, s) {
		for _, container := range pod.Spec.Containers {
			if provisionerImage.MatchString(container.Image) {
				return container.Image, &pod
			}
		}
	}
	suite.Skip(suite.ByEnvironment, "no container beside the driver's controller has an image called csi-provisioner")
	return "", nil
}

// permit lets the provisioner do its work.
func (p *Provisioner) permit(ctx context.Context) {
	s := p.s
	account := &corev1.ServiceAccount{}
	account.Name, account.Namespace = workload.ProvisionerName, p.namespace
	s.Need(s.Resources().Create(ctx, account), "creating a service account")
	role, binding := workload.ProvisionerRole(), &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
	binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: account.Namespace}}
	if err := errors.Join(s.Resources().Create(ctx, role), s.Resources().Create(ctx, binding)); apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not give a provisioner its rights: %v", err)
	} else {
		s.Need(err, "giving the provisioner its rights")
	}
}
