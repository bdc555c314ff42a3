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

// Holdings returns the current holdings of the driver and the cluster. It leaves out anything that the driver does not
// claim to report, or that others may change meanwhile.
func Holdings(ctx context.Context, s *Scenario) (predicate.Holdings, error) {
	held := predicate.Holdings{Room: map[string]int64{}}
	if s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		volumes, err := s.Driver.Volumes(ctx)
		if err != nil {
			return held, err
		}
		handles := slices.Collect(maps.Values(s.ours))
		held.Volumes = slices.DeleteFunc(slices.Sorted(maps.Keys(volumes)), func(id string) bool {
			return !exclusive(s) && !slices.Contains(handles, id)
		})
	}
	if ownRoom(s) && s.Target.Capacity.Exact() && s.Driver.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) {
		for _, z := range s.zones {
			free, _, err := s.Driver.Room(ctx, s.AccessibleFrom(1), z)
			if err != nil {
				return held, err
			}
			held.Room[predicate.Canonical(z.Segment)] = free
		}
	}
	volumes, err := persistentVolumes(ctx, s)
	if err != nil {
		return held, err
	}
	for _, volume := range volumes {
		held.PersistentVolumes = append(held.PersistentVolumes, volume.Name)
	}
	attachments, err := ownAttachments(ctx, s)
	if err != nil {
		return held, err
	}
	for _, attachment := range attachments {
		held.Attachments = append(held.Attachments, attachment.Name)
	}
	return held, nil
}

// ownRoom reports whether no other case takes room where this one does.
func ownRoom(s *Scenario) bool { return s.alone || s.pool != nil }

// exclusive reports whether only the case creates and deletes volumes of the driver.
func exclusive(s *Scenario) bool { return s.alone && s.Target.Exclusive }

// persistentVolumes returns the driver's PersistentVolumes or, if others use the driver as well, only those of the case's
// claims. It records the case's volumes.
func persistentVolumes(ctx context.Context, s *Scenario) ([]corev1.PersistentVolume, error) {
	volumes, err := VolumesOf(ctx, s, s.Target.Driver)
	return slices.DeleteFunc(volumes, func(volume corev1.PersistentVolume) bool {
		claim := volume.Spec.ClaimRef
		if claim != nil && claim.Namespace == s.Namespace {
			Own(s, &volume)
		}
		_, own := s.ours[volume.Name]
		return !exclusive(s) && !own
	}), err
}

// VolumesOf returns the PersistentVolumes of a driver.
func VolumesOf(ctx context.Context, s *Scenario, driver string) ([]corev1.PersistentVolume, error) {
	var list corev1.PersistentVolumeList
	if err := s.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing PersistentVolumes: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(volume corev1.PersistentVolume) bool {
		return volume.Spec.CSI == nil || volume.Spec.CSI.Driver != driver
	}), nil
}

// ownAttachments returns the driver's VolumeAttachments or, if others use the driver as well, only those of the case's
// volumes.
func ownAttachments(ctx context.Context, s *Scenario) ([]storagev1.VolumeAttachment, error) {
	if _, err := persistentVolumes(ctx, s); err != nil { // records the case's volumes
		return nil, err
	}
	all, err := AttachmentsOf(ctx, s, s.Target.Driver)
	return slices.DeleteFunc(all, func(attachment storagev1.VolumeAttachment) bool {
		name := attachment.Spec.Source.PersistentVolumeName
		if exclusive(s) || name == nil {
			return !exclusive(s)
		}
		_, own := s.ours[*name]
		return !own
	}), err
}

// AttachmentsOf returns the VolumeAttachments of a driver.
func AttachmentsOf(ctx context.Context, s *Scenario, driver string) ([]storagev1.VolumeAttachment, error) {
	var list storagev1.VolumeAttachmentList
	if err := s.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing VolumeAttachments: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(attachment storagev1.VolumeAttachment) bool {
		return attachment.Spec.Attacher != driver
	}), nil
}

// Own records that the volume belongs to one of the case's claims.
func Own(s *Scenario, volume *corev1.PersistentVolume) { s.ours[volume.Name] = HandleOf(volume) }

// HandleOf returns the volume's id in the driver.
func HandleOf(volume *corev1.PersistentVolume) string {
	if volume.Spec.CSI == nil {
		return ""
	}
	return volume.Spec.CSI.VolumeHandle
}
