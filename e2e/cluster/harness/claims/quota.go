// SPDX-License-Identifier: Apache-2.0

package claims

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CreateQuota creates a ResourceQuota that limits the bytes of claims in the case's
// namespace.
func CreateQuota(ctx context.Context, s *harness.Scenario, bytes resource.Quantity) *corev1.ResourceQuota {
	quota := &corev1.ResourceQuota{}
	quota.Name, quota.Namespace = "storage", s.Namespace
	quota.Spec.Hard = corev1.ResourceList{corev1.ResourceRequestsStorage: bytes}
	err := s.Resources().Create(ctx, quota)
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not create a ResourceQuota: %v", err)
	}
	s.Need(err, "creating a ResourceQuota")
	return quota
}

// MustCount waits for the quota to count the given number of bytes. A lasting mismatch is a
// warning by the requirement.
func MustCount(ctx context.Context, s *harness.Scenario, quota *corev1.ResourceQuota, requirement string, bytes resource.Quantity) {
	const what = "bytes of claims that the ResourceQuota counts"
	s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, what, s.Look(quota, func() error {
		used := quota.Status.Used[corev1.ResourceRequestsStorage]
		return predicate.Equal(what, used.Value(), bytes.Value())
	}))
}
