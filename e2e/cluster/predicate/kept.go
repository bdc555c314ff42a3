// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Finalizers with which components keep objects until they have finished with them.
const (
	// ClaimInUse keeps a claim that a pod uses, and VolumeInUse a PersistentVolume that is bound.
	ClaimInUse  = "kubernetes.io/pvc-protection"
	VolumeInUse = "kubernetes.io/pv-protection"
	// SnapshotSource keeps a claim while snapshots of its volume are being created.
	SnapshotSource = "snapshot.storage.kubernetes.io/pvc-as-source-protection"
	// VolumeMade keeps a PersistentVolume until the provisioner has deleted its volume.
	VolumeMade = "external-provisioner.volume.kubernetes.io/finalizer"
)

// AttacherOf returns the finalizer with which the driver's attacher keeps a VolumeAttachment and its PersistentVolume.
func AttacherOf(driver string) string {
	return "external-attacher/" + regexp.MustCompile("[^a-zA-Z0-9-]").ReplaceAllString(driver, "-")
}

// KeptBy requires the object to have each of the finalizers.
func KeptBy(kind string, object metav1.Object, finalizers ...string) error {
	for _, finalizer := range finalizers {
		if !slices.Contains(object.GetFinalizers(), finalizer) {
			return mismatch("finalizers of "+kind+" "+object.GetName(), "with "+finalizer, fmt.Sprintf("%q", object.GetFinalizers()))
		}
	}
	return nil
}

// LetGoBy requires the object to have none of the finalizers.
func LetGoBy(kind string, object metav1.Object, finalizers ...string) error {
	for _, finalizer := range finalizers {
		if slices.Contains(object.GetFinalizers(), finalizer) {
			return mismatch("finalizers of "+kind+" "+object.GetName(), "without "+finalizer, fmt.Sprintf("%q", object.GetFinalizers()))
		}
	}
	return nil
}

// ControlledBy requires the object to have the other as its controller, with which it is deleted.
func ControlledBy(kind string, object, controller metav1.Object) error {
	if !metav1.IsControlledBy(object, controller) {
		return mismatch("owner of "+kind+" "+object.GetName(), controller.GetName()+", as its controller", fmt.Sprintf("%v", object.GetOwnerReferences()))
	}
	return nil
}

// GoneEarly returns the mismatch for an object that is gone while it is still needed.
func GoneEarly(kind, name string) error { return finalMismatch(kind+" "+name, "there", "gone") }

// NotDeleting requires the object not to be marked for deletion.
func NotDeleting(kind string, object metav1.Object) error {
	if at := object.GetDeletionTimestamp(); at != nil {
		return finalMismatch(kind+" "+object.GetName(), "kept", "being deleted since "+clock(at.Time))
	}
	return nil
}

// StillThere returns the mismatch for an object that should be deleted and is still there.
func StillThere(kind string, object metav1.Object) error {
	found := "it is not deleted"
	if object.GetDeletionTimestamp() != nil {
		found = fmt.Sprintf("being deleted, with finalizers %q", object.GetFinalizers())
	}
	return mismatch(kind+" "+object.GetName(), "gone", found)
}

// SameVolume requires the claim to have had the volume when it was last read.
func SameVolume(before *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) error {
	if before.Spec.VolumeName != volume.Name {
		return finalMismatch("volume of claim "+before.Name, before.Spec.VolumeName+", as before", volume.Name)
	}
	return nil
}

// Says requires the object to have the annotation with this value.
func Says(kind string, object metav1.Object, annotation, value string) error {
	if found, has := object.GetAnnotations()[annotation]; found != value {
		return mismatch("annotation "+annotation+" of "+kind+" "+object.GetName(), fmt.Sprintf("%q", value), fmt.Sprintf("%q, there: %v", found, has))
	}
	return nil
}

// OnNode requires the node's status to list the driver's volume both as attached and as in use.
func OnNode(node *corev1.Node, driver, handle string) error {
	attached, used := listedOn(node, driver, handle)
	if !attached || !used {
		return mismatch("status of node "+node.Name+" for volume "+handle, "in volumesAttached and in volumesInUse", fmt.Sprintf("attached: %v, in use: %v", attached, used))
	}
	return nil
}

// OffNode requires the node's status to list the driver's volume neither as attached nor as in use.
func OffNode(node *corev1.Node, driver, handle string) error {
	if attached, used := listedOn(node, driver, handle); attached || used {
		return mismatch("status of node "+node.Name+" for volume "+handle, "neither in volumesAttached nor in volumesInUse", fmt.Sprintf("attached: %v, in use: %v", attached, used))
	}
	return nil
}

func listedOn(node *corev1.Node, driver, handle string) (attached, used bool) {
	name := corev1.UniqueVolumeName("kubernetes.io/csi/" + driver + "^" + handle)
	return slices.ContainsFunc(node.Status.VolumesAttached, func(v corev1.AttachedVolume) bool { return v.Name == name }), slices.Contains(node.Status.VolumesInUse, name)
}
