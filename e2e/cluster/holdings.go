package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// holdings are what the driver and the cluster hold for it now; what the driver does not
// claim to tell is left out.
func (s *scenario) holdings(ctx context.Context) (predicate.Holdings, error) {
	held := predicate.Holdings{Room: map[string]int64{}}
	if s.driver.claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		volumes, err := s.driver.volumes(ctx)
		if err != nil {
			return held, err
		}
		held.Volumes = slices.Sorted(maps.Keys(volumes))
	}
	if s.driver.claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) {
		for _, z := range s.all {
			free, _, err := s.driver.room(ctx, s.target.AccessibleFrom(1), z)
			if err != nil {
				return held, err
			}
			held.Room[predicate.Canonical(z.segment)] = free
		}
	}
	volumes, err := s.persistentVolumes(ctx)
	if err != nil {
		return held, err
	}
	for _, volume := range volumes {
		held.PersistentVolumes = append(held.PersistentVolumes, volume.Name)
	}
	attachments, err := s.attachments(ctx)
	if err != nil {
		return held, err
	}
	for _, attachment := range attachments {
		held.Attachments = append(held.Attachments, attachment.Name)
	}
	return held, nil
}

// mustHoldNothingNew wants the driver to have made nothing since the case began, but for
// what fills zones.
func (s *scenario) mustHoldNothingNew(ctx context.Context) {
	ginkgo.GinkgoHelper()
	now, err := s.holdings(ctx)
	s.check(err)
	s.check(predicate.NothingLeft(s.quiet, now))
}

// persistentVolumes are those of the driver.
func (s *scenario) persistentVolumes(ctx context.Context) ([]corev1.PersistentVolume, error) {
	var list corev1.PersistentVolumeList
	if err := s.resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing PersistentVolumes: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(volume corev1.PersistentVolume) bool {
		return volume.Spec.CSI == nil || volume.Spec.CSI.Driver != s.target.Driver
	}), nil
}

// attachments are those of the driver.
func (s *scenario) attachments(ctx context.Context) ([]storagev1.VolumeAttachment, error) {
	var list storagev1.VolumeAttachmentList
	if err := s.resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing VolumeAttachments: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(attachment storagev1.VolumeAttachment) bool {
		return attachment.Spec.Attacher != s.target.Driver
	}), nil
}
