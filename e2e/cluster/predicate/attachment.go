// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
)

// PublishedExactlyTo requires the driver to list the volume as published to exactly these nodes, by their node ids.
func PublishedExactlyTo(volume string, found []string, nodeIDs ...string) error {
	wanted := slices.Sorted(slices.Values(nodeIDs))
	got := slices.Sorted(slices.Values(found))
	if !slices.Equal(wanted, got) {
		return mismatch("published_node_ids of volume "+volume, fmt.Sprintf("[%s]", strings.Join(wanted, ", ")),
			fmt.Sprintf("[%s]", strings.Join(got, ", ")))
	}
	return nil
}

// AttachmentOf returns the attachment of this volume, or an error unless there is exactly one.
func AttachmentOf(attachments []storagev1.VolumeAttachment, volume string) (*storagev1.VolumeAttachment, error) {
	var found []storagev1.VolumeAttachment
	for _, attachment := range attachments {
		if source := attachment.Spec.Source.PersistentVolumeName; source != nil && *source == volume {
			found = append(found, attachment)
		}
	}
	if len(found) > 1 {
		return nil, mismatch("VolumeAttachments of volume "+volume, "one", fmt.Sprint(len(found)))
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("volume %s has no VolumeAttachment", volume)
	}
	return &found[0], nil
}

// Detached requires no attachment of this volume.
func Detached(attachments []storagev1.VolumeAttachment, volume string) error {
	for _, attachment := range attachments {
		if source := attachment.Spec.Source.PersistentVolumeName; source != nil && *source == volume {
			found := fmt.Sprintf("%s to node %s", attachment.Name, attachment.Spec.NodeName)
			if refusal := attachment.Status.DetachError; refusal != nil {
				found += ", which the driver does not detach: " + refusal.Message
			}
			return mismatch("VolumeAttachments of volume "+volume, "none", found)
		}
	}
	return nil
}

// Attached requires the attachment to be for this driver and node, and to be attached.
func Attached(attachment *storagev1.VolumeAttachment, driver, node string) error {
	if attachment.Spec.Attacher != driver || attachment.Spec.NodeName != node {
		return mismatch("VolumeAttachment "+attachment.Name, fmt.Sprintf("attacher %s, node %s", driver, node),
			fmt.Sprintf("attacher %s, node %s", attachment.Spec.Attacher, attachment.Spec.NodeName))
	}
	if !attachment.Status.Attached {
		return fmt.Errorf("VolumeAttachment %s is not attached", attachment.Name)
	}
	return nil
}

// InOrder requires the first change to have been made before the second; versions are resource versions of one API
// server, 0 for a change that was not seen yet.
func InOrder(first string, firstVersion uint64, second string, secondVersion uint64) error {
	if firstVersion == 0 || secondVersion == 0 {
		return fmt.Errorf("not seen yet: %s (version %d) and %s (version %d)", first, firstVersion, second, secondVersion)
	}
	if firstVersion >= secondVersion {
		return mismatch("order of changes", first+" before "+second, fmt.Sprintf("versions %d and %d", firstVersion, secondVersion))
	}
	return nil
}

// AttachRefused requires the attachment not to be attached, and to report the driver's error.
func AttachRefused(attachment *storagev1.VolumeAttachment) error {
	if attachment.Status.Attached || attachment.Status.AttachError == nil {
		return mismatch("status of VolumeAttachment "+attachment.Name, "not attached, with an attachError", attachmentStatus(attachment))
	}
	return nil
}

// DetachRefused requires the attachment to be marked for deletion, but still there and attached, and to report the driver's
// error.
func DetachRefused(attachment *storagev1.VolumeAttachment) error {
	if attachment.DeletionTimestamp == nil || !attachment.Status.Attached || attachment.Status.DetachError == nil {
		return mismatch("VolumeAttachment "+attachment.Name, "being deleted, and attached, with a detachError",
			fmt.Sprintf("being deleted: %v, %s", attachment.DeletionTimestamp != nil, attachmentStatus(attachment)))
	}
	return nil
}

func attachmentStatus(attachment *storagev1.VolumeAttachment) string {
	said := func(e *storagev1.VolumeError) string {
		if e == nil {
			return "none"
		}
		return strconv.Quote(e.Message)
	}
	status := attachment.Status
	return fmt.Sprintf("attached: %v, attachError: %s, detachError: %s", status.Attached, said(status.AttachError), said(status.DetachError))
}
