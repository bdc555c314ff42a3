// SPDX-License-Identifier: Apache-2.0

// Package attachments checks to which nodes volumes are attached.
package attachments

import (
	"context"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Attached returns a mismatch unless the volume is attached to the pod's node, and nowhere else.
func Attached(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, pod *corev1.Pod) error {
	attachments, err := harness.AttachmentsOf(ctx, s, s.Target.Driver)
	if err != nil {
		return err
	}
	found, err := predicate.AttachmentOf(attachments, volume.Name)
	if err != nil {
		return err
	}
	suite.Evidence(ctx, "VolumeAttachment", map[string]any{"spec": found.Spec, "attached": found.Status.Attached})
	return predicate.Attached(found, s.Target.Driver, pod.Spec.NodeName)
}

// MustBeAttached waits for the claim's volume to be attached to the pod's node, and nowhere else.
func MustBeAttached(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, pod *corev1.Pod) {
	pods.MustBeScheduled(ctx, s, pod)
	claims.MustBind(ctx, s, claim)
	volume := claims.VolumeOf(ctx, s, claim)
	s.Until(ctx, s.Target.Timeouts.Run, "volume "+volume.Name+" attached", func(ctx context.Context) error {
		return Attached(ctx, s, volume, pod)
	})
}

// MustSay waits until judge accepts the VolumeAttachment of the volume. Since the attacher writes it, a lasting
// mismatch is a warning by the requirement, and the result is false.
func MustSay(ctx context.Context, s *harness.Scenario, requirement string, volume *corev1.PersistentVolume, judge func(*storagev1.VolumeAttachment) error) bool {
	var found *storagev1.VolumeAttachment
	said := s.PlatformMust(ctx, s.Target.Timeouts.Detach, requirement, "VolumeAttachment of volume "+volume.Name, func(ctx context.Context) error {
		all, err := harness.AttachmentsOf(ctx, s, s.Target.Driver)
		if err != nil {
			return err
		}
		if found, err = predicate.AttachmentOf(all, volume.Name); err != nil {
			return err
		}
		return judge(found)
	})
	suite.Evidence(ctx, "VolumeAttachment", found)
	return said
}

// MustBeDetached waits for the volume to have no VolumeAttachment.
func MustBeDetached(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume) {
	s.Until(ctx, s.Target.Timeouts.Detach, "volume "+volume.Name+" detached", detached(s, volume))
}

// detached returns an observation that the volume has no VolumeAttachment.
func detached(s *harness.Scenario, volume *corev1.PersistentVolume) func(context.Context) error {
	return func(ctx context.Context) error {
		attachments, err := harness.AttachmentsOf(ctx, s, s.Target.Driver)
		if err != nil {
			return err
		}
		return predicate.Detached(attachments, volume.Name)
	}
}

// MustBePublishedTo fails the case unless the driver lists the volume as published to exactly these nodes.
func MustBePublishedTo(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, nodeIDs ...string) {
	volumes, err := s.Driver.Volumes(ctx)
	s.Need(err, "asking what the driver holds")
	entry, listed := volumes[harness.HandleOf(volume)]
	if !listed {
		s.Fail("the driver does not list volume %s", harness.HandleOf(volume))
	}
	found := entry.GetStatus().GetPublishedNodeIds()
	suite.Evidence(ctx, "published_node_ids", found)
	s.Check(predicate.PublishedExactlyTo(harness.HandleOf(volume), found, nodeIDs...))
}

// Listed returns the ids of all volumes that the driver lists, sorted.
func Listed(ctx context.Context, s *harness.Scenario) []string {
	volumes, err := s.Driver.Volumes(ctx)
	s.Need(err, "asking what the driver holds")
	return slices.Sorted(maps.Keys(volumes))
}

// LetsGo waits for the volume to be detached from a node that cannot report that it no longer uses it, and returns the
// duration. A volume that stays attached is a warning by the requirement, and done is false: the specification allows a
// driver to refuse, as ControllerUnpublishVolume follows NodeUnstageVolume.
func LetsGo(ctx context.Context, s *harness.Scenario, requirement string, volume *corev1.PersistentVolume, limit time.Duration) (took time.Duration, done bool) {
	began := time.Now()
	done = s.PlatformMust(ctx, limit, requirement, "volume "+volume.Name+" detached", detached(s, volume))
	took = time.Since(began)
	suite.Evidence(ctx, "detached from the node that died after", took.Round(10*time.Millisecond).String())
	return took, done
}
