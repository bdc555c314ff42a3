// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// ProvisionedBy is the annotation that names the provisioner of a PersistentVolume.
const ProvisionedBy = "pv.kubernetes.io/provisioned-by"

// Provisioners returns the annotations in which a claim names the provisioner of its volume.
func Provisioners() []string {
	return []string{"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner"}
}

// NamedAfter requires the PersistentVolume's name to be a prefix and the uid of the claim that it was created for.
func NamedAfter(volume *corev1.PersistentVolume, claim *corev1.PersistentVolumeClaim) error {
	if prefix, found := strings.CutSuffix(volume.Name, "-"+string(claim.UID)); !found || prefix == "" {
		return finalMismatch("name of the PersistentVolume of claim "+claim.Name, "a prefix, and "+string(claim.UID), volume.Name)
	}
	return nil
}

// CreatedAs requires the driver to have been asked for its volume by this name.
func CreatedAs(calls []trace.Call, handle, name string) error {
	for _, call := range Volumes().Of(calls, name) {
		if Volumes().idOf(call) == handle {
			return nil
		}
	}
	return finalMismatch("CreateVolume of "+handle, "asked for as "+name, "no such call")
}

// Unattached requires the attachment to be as it was created: not attached, without an error from an attempt, and without
// finalizers.
func Unattached(attachment *storagev1.VolumeAttachment) error {
	status := attachment.Status
	if status.Attached || status.AttachError != nil || len(attachment.Finalizers) > 0 {
		return finalMismatch("VolumeAttachment "+attachment.Name+" of "+attachment.Spec.Attacher, "left alone",
			fmt.Sprintf("attached: %v, attachError: %v, finalizers: %q", status.Attached, status.AttachError, attachment.Finalizers))
	}
	return nil
}

// Ungrown requires the growth that the claim requests not to have begun.
func Ungrown(claim *corev1.PersistentVolumeClaim) error {
	asked, holds := claim.Spec.Resources.Requests[corev1.ResourceStorage], claim.Status.Capacity[corev1.ResourceStorage]
	growing := slices.ContainsFunc(claim.Status.Conditions, func(condition corev1.PersistentVolumeClaimCondition) bool {
		return slices.Contains([]corev1.PersistentVolumeClaimConditionType{
			corev1.PersistentVolumeClaimResizing, corev1.PersistentVolumeClaimFileSystemResizePending,
			corev1.PersistentVolumeClaimControllerResizeError, corev1.PersistentVolumeClaimNodeResizeError,
		}, condition.Type)
	})
	if asked.Cmp(holds) <= 0 || len(claim.Status.AllocatedResourceStatuses) > 0 || growing {
		return finalMismatch("growth of claim "+claim.Name, "left alone", fmt.Sprintf("%s of %s, allocatedResourceStatuses %v, conditions %v",
			holds.String(), asked.String(), claim.Status.AllocatedResourceStatuses, claim.Status.Conditions))
	}
	return nil
}
