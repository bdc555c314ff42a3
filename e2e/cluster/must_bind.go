package cluster

import (
	"context"
	"errors"

	"github.com/onsi/ginkgo/v2"
	"google.golang.org/grpc/codes"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// mustBind waits for the claim to have its volume and returns it.
func (s *scenario) mustBind(ctx context.Context, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Bind, "claim "+claim.Name+" bound", s.look(claim, func() error {
		return predicate.ClaimBound(claim)
	}))
	return s.volumeOf(ctx, claim)
}

// mustBindIn waits for the claim to have its volume, and wants that to be accessible from
// exactly these zones.
func (s *scenario) mustBindIn(ctx context.Context, claim *corev1.PersistentVolumeClaim, zones ...zone) *corev1.PersistentVolume {
	ginkgo.GinkgoHelper()
	volume := s.mustBind(ctx, claim)
	s.check(predicate.AccessibleExactlyFrom(volume, segmentsOf(zones...)...))
	return volume
}

// volumeOf returns the volume of a bound claim.
func (s *scenario) volumeOf(ctx context.Context, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	ginkgo.GinkgoHelper()
	s.need(s.reread(ctx, claim), "looking for the claim's volume")
	volume := &corev1.PersistentVolume{}
	volume.Name = claim.Spec.VolumeName
	s.need(s.reread(ctx, volume), "looking for the claim's volume")
	verdict.Evidence("volume of "+claim.Name, map[string]any{
		"persistentVolume": volume.Name,
		"volumeHandle":     handleOf(volume),
		"nodeAffinity":     volume.Spec.NodeAffinity,
	})
	return volume
}

// mustWaitWithoutVolume waits for the event with this reason about the claim, and wants no
// volume to have been made for it.
func (s *scenario) mustWaitWithoutVolume(ctx context.Context, claim *corev1.PersistentVolumeClaim, reason string) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Bind, "event "+reason+" about claim "+claim.Name, func(context.Context) error {
		return predicate.EventSays(s.events(), claim.UID, reason)
	})
	s.need(s.reread(ctx, claim), "reading the claim")
	s.check(predicate.ClaimWithoutVolume(claim))
	s.mustHoldNothingNew(ctx)
}

// mustBeRefused waits for the provisioner to report that the driver refused the volume
// with this gRPC code.
func (s *scenario) mustBeRefused(ctx context.Context, claim *corev1.PersistentVolumeClaim, code codes.Code) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Bind, "provisioning of claim "+claim.Name+" refused", s.look(claim, func() error {
		return predicate.ProvisioningRefused(claim, s.events(), code)
	}))
	verdict.Evidence("refusal", predicate.EventLines(predicate.StorageWarnings(s.events())))
}

// mustDelete deletes the claim, and waits until its volume is gone too.
func (s *scenario) mustDelete(ctx context.Context, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) {
	ginkgo.GinkgoHelper()
	s.need(s.resources().Delete(ctx, claim), "deleting claim %s", claim.Name)
	s.until(ctx, s.target.Timeouts.Delete, "volume "+volume.Name+" deleted", func(ctx context.Context) error {
		return errors.Join(
			gone(s.reread(ctx, claim.DeepCopy()), "claim "+claim.Name),
			gone(s.reread(ctx, volume.DeepCopy()), "volume "+volume.Name))
	})
}

// handleOf is the volume's id in the driver.
func handleOf(volume *corev1.PersistentVolume) string {
	if volume.Spec.CSI == nil {
		return ""
	}
	return volume.Spec.CSI.VolumeHandle
}
