package cluster

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// attachment wants the volume to be attached to the pod's node, and nowhere else.
func (s *scenario) attachment(ctx context.Context, volume *corev1.PersistentVolume, pod *corev1.Pod) error {
	attachments, err := s.attachments(ctx)
	if err != nil {
		return err
	}
	found, err := predicate.AttachmentOf(attachments, volume.Name)
	if err != nil {
		return err
	}
	verdict.Evidence("VolumeAttachment", map[string]any{"spec": found.Spec, "attached": found.Status.Attached})
	return predicate.Attached(found, s.target.Driver, pod.Spec.NodeName)
}

// mustBeDetached waits for the volume to have no VolumeAttachment.
func (s *scenario) mustBeDetached(ctx context.Context, volume *corev1.PersistentVolume) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Detach, "volume "+volume.Name+" detached", func(ctx context.Context) error {
		attachments, err := s.attachments(ctx)
		if err != nil {
			return err
		}
		return predicate.Detached(attachments, volume.Name)
	})
}

// mustBePublishedTo wants the driver to list the volume as published to exactly these nodes.
func (s *scenario) mustBePublishedTo(ctx context.Context, volume *corev1.PersistentVolume, nodeIDs ...string) {
	ginkgo.GinkgoHelper()
	volumes, err := s.driver.volumes(ctx)
	s.need(err, "asking what the driver holds")
	entry, listed := volumes[handleOf(volume)]
	if !listed {
		s.fail("the driver does not list volume %s", handleOf(volume))
	}
	found := entry.GetStatus().GetPublishedNodeIds()
	verdict.Evidence("published_node_ids", found)
	s.check(predicate.PublishedExactlyTo(handleOf(volume), found, nodeIDs...))
}

// mustListOnly wants the driver to list nothing but this volume, besides what it listed
// when the zones had been filled.
func (s *scenario) mustListOnly(ctx context.Context, volume *corev1.PersistentVolume) {
	ginkgo.GinkgoHelper()
	now, err := s.holdings(ctx)
	s.check(err)
	s.check(predicate.NothingLeft(
		predicate.Holdings{Volumes: append([]string{handleOf(volume)}, s.quiet.Volumes...)},
		predicate.Holdings{Volumes: now.Volumes}))
}
