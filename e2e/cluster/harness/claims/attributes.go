// SPDX-License-Identifier: Apache-2.0

package claims

import (
	"context"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CreateAttributes creates a VolumeAttributesClass with the profile's mutable parameters. The case is skipped if the
// API server does not have the kind.
func CreateAttributes(ctx context.Context, s *harness.Scenario) *storagev1.VolumeAttributesClass {
	class := &storagev1.VolumeAttributesClass{DriverName: s.Target.Driver, Parameters: s.Target.MutableParameters}
	class.Name = s.Name("attributes")
	s.OnceClaimsAreGone(func(ctx context.Context) error { return s.Delete(ctx, class) })
	err := s.Resources().Create(ctx, class)
	if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
		suite.Skip(suite.ByEnvironment, "needs VolumeAttributesClasses, which the API server has from 1.34 on: %v", err)
	}
	s.Need(err, "creating VolumeAttributesClass %s", class.Name)
	return class
}
