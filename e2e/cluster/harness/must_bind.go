// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustBind waits for the claim to have its volume and returns it.
func (s *Scenario) MustBind(ctx context.Context, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	s.Until(ctx, s.Target.Timeouts.Bind, "claim "+claim.Name+" bound", s.Look(claim, func() error {
		return predicate.ClaimBound(claim)
	}))
	return s.VolumeOf(ctx, claim)
}

// MustBindIn waits for the claim to have its volume, and wants that to be accessible from
// exactly these zones.
func (s *Scenario) MustBindIn(ctx context.Context, claim *corev1.PersistentVolumeClaim, zones ...Zone) *corev1.PersistentVolume {
	volume := s.MustBind(ctx, claim)
	s.Check(predicate.AccessibleExactlyFrom(volume, SegmentsOf(zones...)...))
	return volume
}

// VolumeOf returns the volume of a bound claim.
func (s *Scenario) VolumeOf(ctx context.Context, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	s.Need(s.Reread(ctx, claim), "looking for the claim's volume")
	volume := &corev1.PersistentVolume{}
	volume.Name = claim.Spec.VolumeName
	s.Need(s.Reread(ctx, volume), "looking for the claim's volume")
	s.ours[volume.Name] = HandleOf(volume)
	suite.Evidence(ctx, "volume of "+claim.Name, map[string]any{
		"persistentVolume": volume.Name,
		"volumeHandle":     HandleOf(volume),
		"nodeAffinity":     volume.Spec.NodeAffinity,
	})
	return volume
}

// MustWaitWithoutVolume waits for an event with one of these reasons about the claim, and wants no
// volume to have been made for it.
func (s *Scenario) MustWaitWithoutVolume(ctx context.Context, claim *corev1.PersistentVolumeClaim, reasons ...string) {
	s.Until(ctx, s.Target.Timeouts.Bind, "event "+strings.Join(reasons, " or ")+" about claim "+claim.Name, s.Look(claim, func() error {
		return predicate.ClaimWaits(claim, s.Events(), reasons...)
	}))
	s.MustHoldNothingNew(ctx)
}

// MustBeRefused waits for the provisioner to report that the driver refused the volume
// with this gRPC code.
func (s *Scenario) MustBeRefused(ctx context.Context, claim *corev1.PersistentVolumeClaim, code codes.Code) {
	s.Until(ctx, s.Target.Timeouts.Bind, "provisioning of claim "+claim.Name+" refused", s.Look(claim, func() error {
		return predicate.ProvisioningRefused(claim, s.Events(), code)
	}))
	suite.Evidence(ctx, "refusal", predicate.EventLines(predicate.StorageWarnings(s.Events())))
}

// MustBindOrBeRefused waits for the claim to have its volume, and returns it, or for the provisioner to report that the
// driver refused the volume with one of these codes, and returns that code.
func (s *Scenario) MustBindOrBeRefused(ctx context.Context, claim *corev1.PersistentVolumeClaim, allowed ...codes.Code) (*corev1.PersistentVolume, codes.Code) {
	s.Until(ctx, s.Target.Timeouts.Bind, "claim "+claim.Name+" bound or refused", s.Look(claim, func() error {
		return predicate.BoundOrRefused(claim, s.Events(), allowed...)
	}))
	if predicate.ClaimBound(claim) == nil {
		return s.VolumeOf(ctx, claim), codes.OK
	}
	events := s.Events()
	suite.Evidence(ctx, "refusal", predicate.EventLines(predicate.StorageWarnings(events)))
	for _, code := range allowed {
		if predicate.ProvisioningRefused(claim, events, code) == nil {
			return nil, code
		}
	}
	suite.CouldNotTell("the refusal of claim %s is no longer among the events", claim.Name)
	return nil, codes.Unknown
}

// MustDelete deletes the claim, and waits until its volume is gone too.
func (s *Scenario) MustDelete(ctx context.Context, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) {
	s.Need(s.Resources().Delete(ctx, claim), "deleting claim %s", claim.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" deleted", func(ctx context.Context) error {
		return errors.Join(
			gone(s.Reread(ctx, claim.DeepCopy()), "claim "+claim.Name),
			gone(s.Reread(ctx, volume.DeepCopy()), "volume "+volume.Name))
	})
}

// MayGo waits for a PersistentVolume to be deleted, which it reports, or for its driver to refuse that.
func (s *Scenario) MayGo(ctx context.Context, volume *corev1.PersistentVolume) bool {
	var refused error
	s.Until(ctx, s.Target.Timeouts.Delete, "volume "+volume.Name+" deleted or kept", func(ctx context.Context) error {
		there := gone(s.Reread(ctx, volume.DeepCopy()), "volume "+volume.Name)
		if there == nil {
			return nil
		}
		var events corev1.EventList
		if err := s.Target.Client.Resources(corev1.NamespaceDefault).List(ctx, &events); err != nil { // where those of the cluster's objects are
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

// HandleOf is the volume's id in the driver.
func HandleOf(volume *corev1.PersistentVolume) string {
	if volume.Spec.CSI == nil {
		return ""
	}
	return volume.Spec.CSI.VolumeHandle
}
