// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Attachment wants the volume to be attached to the pod's node, and nowhere else.
func (s *Scenario) Attachment(ctx context.Context, volume *corev1.PersistentVolume, pod *corev1.Pod) error {
	attachments, err := s.attachments(ctx)
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

// MustBeDetached waits for the volume to have no VolumeAttachment.
func (s *Scenario) MustBeDetached(ctx context.Context, volume *corev1.PersistentVolume) {
	s.Until(ctx, s.Target.Timeouts.Detach, "volume "+volume.Name+" detached", func(ctx context.Context) error {
		attachments, err := s.attachments(ctx)
		if err != nil {
			return err
		}
		return predicate.Detached(attachments, volume.Name)
	})
}

// MustBePublishedTo wants the driver to list the volume as published to exactly these nodes.
func (s *Scenario) MustBePublishedTo(ctx context.Context, volume *corev1.PersistentVolume, nodeIDs ...string) {
	volumes, err := s.driver.volumes(ctx)
	s.Need(err, "asking what the driver holds")
	entry, listed := volumes[HandleOf(volume)]
	if !listed {
		s.Fail("the driver does not list volume %s", HandleOf(volume))
	}
	found := entry.GetStatus().GetPublishedNodeIds()
	suite.Evidence(ctx, "published_node_ids", found)
	s.Check(predicate.PublishedExactlyTo(HandleOf(volume), found, nodeIDs...))
}

// Listed are the ids of the volumes that the driver lists, whoever created them.
func (s *Scenario) Listed(ctx context.Context) []string {
	volumes, err := s.driver.volumes(ctx)
	s.Need(err, "asking what the driver holds")
	return slices.Sorted(maps.Keys(volumes))
}

// MustListOnly wants the driver to list nothing but this volume, besides what it listed
// when the zones had been filled.
func (s *Scenario) MustListOnly(ctx context.Context, volume *corev1.PersistentVolume) {
	now, err := s.Holdings(ctx)
	s.Check(err)
	s.Check(predicate.NothingLeft(
		predicate.Holdings{Volumes: append([]string{HandleOf(volume)}, s.quiet.Volumes...)},
		predicate.Holdings{Volumes: now.Volumes}))
}
