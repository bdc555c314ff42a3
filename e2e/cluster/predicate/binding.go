// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// boundByController is the annotation of a claim or a PersistentVolume that a controller bound to the other.
const boundByController = "pv.kubernetes.io/bound-by-controller"

// BoundToEachOther requires the claim and the PersistentVolume to be bound to each other.
func BoundToEachOther(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) error {
	if name := claim.Spec.VolumeName; name != "" && name != volume.Name {
		return finalMismatch("volume of claim "+claim.Name, volume.Name, name)
	}
	if ref := volume.Spec.ClaimRef; ref != nil && ref.UID != "" && ref.UID != claim.UID {
		return finalMismatch("claim of volume "+volume.Name, fmt.Sprintf("%s with UID %s", claim.Name, claim.UID), fmt.Sprintf("%s with UID %s", ref.Name, ref.UID))
	}
	if err := ClaimBound(claim); err != nil {
		return err
	}
	if volume.Spec.ClaimRef == nil || volume.Status.Phase != corev1.VolumeBound {
		return fmt.Errorf("claim %s is bound, and volume %s in phase %s", claim.Name, volume.Name, volume.Status.Phase)
	}
	return nil
}

// BoundBy requires the annotation of the claim or the PersistentVolume to say correctly whether a controller bound it.
func BoundBy(kind string, object metav1.Object, controller bool) error {
	if _, says := object.GetAnnotations()[boundByController]; says != controller {
		return mismatch("annotation "+boundByController+" of "+kind+" "+object.GetName(),
			fmt.Sprintf("there: %v", controller), fmt.Sprintf("there: %v", says))
	}
	return nil
}

// TookVolume requires the claim to have this volume, which existed already, without creating another one. Its pod,
// which was read before the claim, must not have a node before that.
func TookVolume(pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, volume string) error {
	subject := "volume of claim " + claim.Name
	if node := claim.Annotations[selectedNode]; node != "" {
		return finalMismatch(subject, volume, "one to be created for node "+node+", which is selected")
	}
	switch claim.Spec.VolumeName {
	case volume:
		return ClaimBound(claim)
	case "":
		if pod.Spec.NodeName != "" {
			return finalMismatch(subject, volume, "none, and pod "+pod.Name+" is on node "+pod.Spec.NodeName)
		}
		return ClaimBound(claim)
	default:
		return finalMismatch(subject, volume, claim.Spec.VolumeName)
	}
}
