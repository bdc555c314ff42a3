// SPDX-License-Identifier: Apache-2.0

package claims

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// MustDelete deletes the claim, and waits until its volume is gone too.
func MustDelete(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) {
	s.Need(s.Resources().Delete(ctx, claim), "deleting claim %s", claim.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" deleted", func(ctx context.Context) error {
		return errors.Join(
			harness.Gone(s.Reread(ctx, claim.DeepCopy()), "claim "+claim.Name),
			harness.Gone(s.Reread(ctx, volume.DeepCopy()), "volume "+volume.Name))
	})
}

// MustDeleteAlone deletes the claim, and waits until it is gone, regardless of its volume.
func MustDeleteAlone(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) {
	s.Need(s.Resources().Delete(ctx, claim), "deleting claim %s", claim.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "claim "+claim.Name+" deleted", func(ctx context.Context) error {
		return harness.Gone(s.Reread(ctx, claim.DeepCopy()), "claim "+claim.Name)
	})
}

// DeletedByOthers returns an observation that the claim, which the case does not delete, is gone. A claim that is
// still there is a mismatch.
func DeletedByOthers(s *harness.Scenario, claim *corev1.PersistentVolumeClaim) func(context.Context) error {
	return func(ctx context.Context) error {
		now := claim.DeepCopy()
		err := s.Reread(ctx, now)
		if err == nil {
			return predicate.StillThere("PersistentVolumeClaim", now)
		}
		return harness.Gone(err, "claim "+claim.Name)
	}
}

// MayGo waits for a PersistentVolume to be deleted, or for its driver to refuse that, and reports whether it was
// deleted.
func MayGo(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume) bool {
	var refused error
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" deleted or kept", func(ctx context.Context) error {
		there := harness.Gone(s.Reread(ctx, volume.DeepCopy()), "volume "+volume.Name)
		if there == nil {
			return nil
		}
		var events corev1.EventList
		if err := s.Target.Client.Resources(corev1.NamespaceDefault).List(ctx, &events); err != nil { // of cluster objects
			return fmt.Errorf("listing events: %w", err)
		}
		if predicate.EventSays(events.Items, volume.UID, "VolumeFailedDelete") != nil {
			return there
		}
		refused = there
		return nil
	})
	return refused == nil
}

// MustGo waits for a PersistentVolume to be deleted.
func MustGo(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume) {
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" deleted", func(ctx context.Context) error {
		return harness.Gone(s.Reread(ctx, volume.DeepCopy()), "volume "+volume.Name)
	})
}
