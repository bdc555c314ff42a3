// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// Holdings are what the driver and the cluster hold for it now. What the driver does not
// claim to tell is left out, and so is what others may change meanwhile.
func (s *Scenario) Holdings(ctx context.Context) (predicate.Holdings, error) {
	held := predicate.Holdings{Room: map[string]int64{}}
	if s.driver.claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		volumes, err := s.driver.volumes(ctx)
		if err != nil {
			return held, err
		}
		handles := slices.Collect(maps.Values(s.ours))
		held.Volumes = slices.DeleteFunc(slices.Sorted(maps.Keys(volumes)), func(id string) bool {
			return !s.exclusive() && !slices.Contains(handles, id)
		})
	}
	if s.ownRoom() && s.Target.Capacity.Exact() && s.driver.claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) {
		for _, z := range s.all {
			free, _, err := s.driver.room(ctx, s.AccessibleFrom(1), z)
			if err != nil {
				return held, err
			}
			held.Room[predicate.Canonical(z.Segment)] = free
		}
	}
	volumes, err := s.persistentVolumes(ctx)
	if err != nil {
		return held, err
	}
	for _, volume := range volumes {
		held.PersistentVolumes = append(held.PersistentVolumes, volume.Name)
	}
	attachments, err := s.ownAttachments(ctx)
	if err != nil {
		return held, err
	}
	for _, attachment := range attachments {
		held.Attachments = append(held.Attachments, attachment.Name)
	}
	return held, nil
}

// ownRoom reports whether no other case takes room where this one does.
func (s *Scenario) ownRoom() bool { return s.alone || s.pool != nil }

// exclusive reports whether nobody but the case creates or deletes volumes of the driver.
func (s *Scenario) exclusive() bool { return s.alone && s.Target.Exclusive }

// MustHoldNothingNew wants the driver to have made nothing since the case began, but for
// what fills zones.
func (s *Scenario) MustHoldNothingNew(ctx context.Context) {
	now, err := s.Holdings(ctx)
	s.Check(err)
	s.Check(predicate.NothingLeft(s.quiet, now))
}

// persistentVolumes are those of the driver or, where others use it as well, those of the
// case's claims.
func (s *Scenario) persistentVolumes(ctx context.Context) ([]corev1.PersistentVolume, error) {
	var list corev1.PersistentVolumeList
	if err := s.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing PersistentVolumes: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(volume corev1.PersistentVolume) bool {
		if volume.Spec.CSI == nil || volume.Spec.CSI.Driver != s.Target.Driver {
			return true
		}
		claim := volume.Spec.ClaimRef
		if claim != nil && claim.Namespace == s.Namespace {
			s.ours[volume.Name] = HandleOf(&volume)
		}
		_, own := s.ours[volume.Name]
		return !s.exclusive() && !own
	}), nil
}

// volumesOf are the PersistentVolumes of a driver.
func (s *Scenario) volumesOf(ctx context.Context, driver string) ([]corev1.PersistentVolume, error) {
	var list corev1.PersistentVolumeList
	if err := s.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing PersistentVolumes: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(volume corev1.PersistentVolume) bool {
		return volume.Spec.CSI == nil || volume.Spec.CSI.Driver != driver
	}), nil
}

// ownAttachments are those of the driver or, where others use it as well, those of the
// case's volumes.
func (s *Scenario) ownAttachments(ctx context.Context) ([]storagev1.VolumeAttachment, error) {
	if _, err := s.persistentVolumes(ctx); err != nil { // which remembers whose they are
		return nil, err
	}
	all, err := s.attachments(ctx)
	return slices.DeleteFunc(all, func(attachment storagev1.VolumeAttachment) bool {
		name := attachment.Spec.Source.PersistentVolumeName
		if s.exclusive() || name == nil {
			return !s.exclusive()
		}
		_, own := s.ours[*name]
		return !own
	}), err
}

// attachments are those of the driver.
func (s *Scenario) attachments(ctx context.Context) ([]storagev1.VolumeAttachment, error) {
	var list storagev1.VolumeAttachmentList
	if err := s.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing VolumeAttachments: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(attachment storagev1.VolumeAttachment) bool {
		return attachment.Spec.Attacher != s.Target.Driver
	}), nil
}
