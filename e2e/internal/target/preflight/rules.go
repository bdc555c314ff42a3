// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Rules returns the rights that Shared checks, in the whole cluster and, by namespace, in single namespaces: a user with
// exactly these rights passes. Rights to VolumeSnapshots are included even if the cluster has none.
func Rules(t *harness.Target) (everywhere []rbacv1.PolicyRule, inNamespace map[string][]rbacv1.PolicyRule) {
	inNamespace = map[string][]rbacv1.PolicyRule{}
	for _, used := range used(t, true, true) {
		if used.namespace == "" {
			everywhere = append(everywhere, used.rule())
		} else {
			inNamespace[used.namespace] = append(inNamespace[used.namespace], used.rule())
		}
	}
	return everywhere, inNamespace
}

func (r right) rule() rbacv1.PolicyRule {
	resource := r.resource
	if r.subresource != "" {
		resource += "/" + r.subresource
	}
	return rbacv1.PolicyRule{APIGroups: []string{r.group}, Resources: []string{resource}, Verbs: r.verbs}
}
