// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// released waits for the claim of the PersistentVolume to be gone. If the PersistentVolume itself is gone, stays reports
// it.
func released(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume) {
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" released", func(ctx context.Context) error {
		err := s.Reread(ctx, volume)
		if harness.Gone(err, "") == nil {
			return nil
		}
		if err != nil {
			return err
		}
		return predicate.VolumeInPhase(volume, corev1.VolumeReleased)
	})
}

// stays reports whether the object exists, and warns by the requirement if it is gone, or is not kept by the
// finalizers.
func stays(ctx context.Context, s *harness.Scenario, requirement, kind string, object k8s.Object, finalizers ...string) bool {
	err := s.Reread(ctx, object)
	if harness.Gone(err, "") == nil {
		s.PlatformCheck(ctx, requirement, predicate.GoneEarly(kind, object.GetName()))
		return false
	}
	s.Need(err, "reading %s %s", kind, object.GetName())
	s.PlatformCheck(ctx, requirement, predicate.KeptBy(kind, object, finalizers...))
	return true
}
