// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Rules are the rights that Shared asks for, in the whole cluster and, by its name, in a namespace alone: a user who has
// these, and no others, passes. Those to VolumeSnapshots are among them, of which a cluster may have none.
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
