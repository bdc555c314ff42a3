// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"fmt"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Namespace returns the namespace that the provisioner runs in.
func (p *Provisioner) Namespace() string { return p.namespace }

// Leases returns the Leases that pods of the provisioner hold, in any namespace.
func (p *Provisioner) Leases(ctx context.Context) ([]coordinationv1.Lease, error) {
	if err := p.connect(ctx); err != nil {
		return nil, err
	}
	all, err := p.s.Kube.CoordinationV1().Leases(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not list Leases: %v", err)
	}
	if err != nil {
		return nil, fmt.Errorf("listing Leases: %w", err)
	}
	var held []coordinationv1.Lease
	for _, lease := range all.Items {
		for pod := range p.pods {
			if strings.HasPrefix(ptr.Deref(lease.Spec.HolderIdentity, ""), pod) {
				held = append(held, lease)
			}
		}
	}
	return held, nil
}
