// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// permit creates a service account in the namespace, for a sidecar of the case, and gives it the rights of the role
// until forbid. The role and its binding have the name of the namespace.
func permit(ctx context.Context, s *harness.Scenario, namespace, name string, role *rbacv1.ClusterRole) {
	account := &corev1.ServiceAccount{}
	account.Name, account.Namespace = name, namespace
	s.Need(s.Resources().Create(ctx, account), "creating a service account")
	binding := &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = namespace, namespace
	binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
	binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: account.Namespace}}
	if err := errors.Join(s.Resources().Create(ctx, role), s.Resources().Create(ctx, binding)); apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not give a %s its rights: %v", name, err)
	} else {
		s.Need(err, "giving a %s its rights", name)
	}
}

// forbid revokes the rights that permit gave.
func forbid(ctx context.Context, s *harness.Scenario, namespace string) error {
	role, binding := &rbacv1.ClusterRole{}, &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = namespace, namespace
	return errors.Join(s.Delete(ctx, binding), s.Delete(ctx, role))
}
