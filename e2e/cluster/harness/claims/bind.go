// SPDX-License-Identifier: Apache-2.0

package claims

import (
	"context"
	"strings"

	"google.golang.org/grpc/codes"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustBeBlock warns by the requirement unless the claim's volume is a raw block volume; the provisioner decides that.
func MustBeBlock(ctx context.Context, s *harness.Scenario, requirement string, volume *corev1.PersistentVolume) {
	s.PlatformCheck(ctx, requirement, predicate.IsBlock("volume "+volume.Name, volume.Spec.VolumeMode))
}

// MustBind waits for the claim to have its volume and returns it.
func MustBind(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	s.Until(ctx, s.Target.Timeouts.Bind, "claim "+claim.Name+" bound", s.Look(claim, func() error {
		return predicate.ClaimBound(claim)
	}))
	return VolumeOf(ctx, s, claim)
}

// MustBindIn waits for the claim to have its volume, and fails the case unless the volume is accessible from exactly
// these zones.
func MustBindIn(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, zones ...topology.Zone) *corev1.PersistentVolume {
	volume := MustBind(ctx, s, claim)
	s.Check(predicate.AccessibleExactlyFrom(volume, topology.SegmentsOf(zones...)...))
	return volume
}

// MustBindBy waits as MustBind does, and fails the case by the requirements unless the volume is accessible from
// exactly these zones.
func MustBindBy(ctx context.Context, s *harness.Scenario, requirements []string, claim *corev1.PersistentVolumeClaim, zones ...topology.Zone) {
	volume := MustBind(ctx, s, claim)
	suite.About(requirements, func() { s.Check(predicate.AccessibleExactlyFrom(volume, topology.SegmentsOf(zones...)...)) })
}

// VolumeOf returns the volume of a bound claim.
func VolumeOf(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	s.Need(s.Reread(ctx, claim), "looking for the claim's volume")
	volume := &corev1.PersistentVolume{}
	volume.Name = claim.Spec.VolumeName
	s.Need(s.Reread(ctx, volume), "looking for the claim's volume")
	harness.Own(s, volume)
	suite.Evidence(ctx, "volume of "+claim.Name, map[string]any{
		"persistentVolume": volume.Name,
		"volumeHandle":     harness.HandleOf(volume),
		"nodeAffinity":     volume.Spec.NodeAffinity,
	})
	return volume
}

// MustWaitWithoutVolume waits for an event with one of these reasons about the claim, and fails the case if a volume
// was made meanwhile.
func MustWaitWithoutVolume(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, reasons ...string) {
	s.Until(ctx, s.Target.Timeouts.Bind, "event "+strings.Join(reasons, " or ")+" about claim "+claim.Name, s.Look(claim, func() error {
		return predicate.ClaimWaits(claim, s.Events(), reasons...)
	}))
	room.MustHoldNothingNew(ctx, s)
}

// MustBeRefused waits for the provisioner to report that the driver refused the volume
// with this gRPC code.
func MustBeRefused(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, code codes.Code) {
	s.Until(ctx, s.Target.Timeouts.Bind, "provisioning of claim "+claim.Name+" refused", s.Look(claim, func() error {
		return predicate.ProvisioningRefused(claim, s.Events(), code)
	}))
	suite.Evidence(ctx, "refusal", predicate.EventLines(predicate.StorageWarnings(s.Events())))
}

// MustBindOrBeRefused waits for the claim to have its volume, and returns it, or for the provisioner to report that the
// driver refused the volume with one of these codes, and returns that code.
func MustBindOrBeRefused(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, allowed ...codes.Code) (*corev1.PersistentVolume, codes.Code) {
	s.Until(ctx, s.Target.Timeouts.Bind, "claim "+claim.Name+" bound or refused", s.Look(claim, func() error {
		return predicate.BoundOrRefused(claim, s.Events(), allowed...)
	}))
	if predicate.ClaimBound(claim) == nil {
		return VolumeOf(ctx, s, claim), codes.OK
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

// MustShareZone fails the case unless the volume of a running pod is accessible from exactly the zone of the pod's
// node.
func MustShareZone(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, pod *corev1.Pod) {
	s.Check(predicate.AccessibleExactlyFrom(VolumeOf(ctx, s, claim), s.ZoneOf(pod).Segment))
}
