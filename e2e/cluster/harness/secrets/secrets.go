// SPDX-License-Identifier: Apache-2.0

// Package secrets creates secrets, and lets sidecars read them.
package secrets

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Grant lets the sidecars of the driver's controller, which may run in other pods, read the secrets of the case's
// namespace, until the namespace is gone: a driver that needs no secrets may be deployed without that right. Kubelets may
// read the secrets that their pods' volumes name.
func Grant(ctx context.Context, s *harness.Scenario) {
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "secrets", Namespace: s.Namespace}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get", "list", "watch"}},
	}}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "secrets", Namespace: s.Namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.GroupKind, APIGroup: rbacv1.GroupName, Name: "system:serviceaccounts:" + s.Target.Controller.Namespace}},
	}
	needAllowed(s, createGrant(ctx, s, role, binding), "let the driver's sidecars read the secrets of the case")
}

func createGrant(ctx context.Context, s *harness.Scenario, role *rbacv1.Role, binding *rbacv1.RoleBinding) error {
	if err := s.Resources().Create(ctx, role); err != nil {
		return err
	}
	return s.Resources().Create(ctx, binding)
}

// needAllowed skips the case if the user of the kubeconfig lacks the rights for the operation.
func needAllowed(s *harness.Scenario, err error, what string) {
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not %s: %v", what, err)
	}
	s.Need(err, "trying to %s", what)
}

// Value returns the value of the case's secret with this name, which no other text and no other secret contains.
func Value(s *harness.Scenario, name string) string { return "secret-" + name + "-of-" + s.Namespace }

// Create creates a secret in the case's namespace, with one key.
func Create(ctx context.Context, s *harness.Scenario, name, key string) *corev1.Secret {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: s.Namespace},
		StringData: map[string]string{key: Value(s, name)},
	}
	needAllowed(s, s.Resources().Create(ctx, secret), "create secrets")
	return secret
}

// Delete deletes a secret of the case.
func Delete(ctx context.Context, s *harness.Scenario, secret *corev1.Secret) {
	s.Need(s.Delete(ctx, secret), "deleting secret %s", secret.Name)
}
