// SPDX-License-Identifier: Apache-2.0

package workload

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Volume builds a PersistentVolume without actual storage.
type Volume struct{ object *corev1.PersistentVolume }

// VolumeOf returns a volume of the class for any claim. It is kept when the claim is deleted.
func VolumeOf(class *storagev1.StorageClass, name string) *Volume {
	v := &corev1.PersistentVolume{}
	v.Name = name
	v.Spec = corev1.PersistentVolumeSpec{
		StorageClassName:              class.Name,
		AccessModes:                   []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
		PersistentVolumeSource: corev1.PersistentVolumeSource{
			CSI: &corev1.CSIPersistentVolumeSource{Driver: class.Provisioner, VolumeHandle: name},
		},
	}
	return &Volume{v}
}

// VolumeFor returns a volume only for the claim. It is kept when the claim is deleted.
func VolumeFor(claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass) *Volume {
	v := VolumeOf(class, claim.Namespace+"-"+claim.Name).For(claim.Namespace, claim.Name)
	v.object.Spec.AccessModes = claim.Spec.AccessModes
	v.object.Spec.ClaimRef.UID = claim.UID
	v.object.Spec.CSI.VolumeHandle = claim.Name
	return v
}

// For reserves it for the claim of this name, which need not exist yet.
func (v *Volume) For(namespace, claim string) *Volume {
	v.object.Spec.ClaimRef = &corev1.ObjectReference{Namespace: namespace, Name: claim}
	return v
}

// Driver sets its driver, if it differs from the class's.
func (v *Volume) Driver(name string) *Volume {
	v.object.Spec.CSI.Driver = name
	return v
}

// Size sets its capacity.
func (v *Volume) Size(size resource.Quantity) *Volume {
	v.object.Spec.Capacity = corev1.ResourceList{corev1.ResourceStorage: size}
	return v
}

// Deleted sets it to be deleted with its claim.
func (v *Volume) Deleted() *Volume {
	v.object.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimDelete
	return v
}

// Annotated gives it an annotation.
func (v *Volume) Annotated(key, value string) *Volume {
	if v.object.Annotations == nil {
		v.object.Annotations = map[string]string{}
	}
	v.object.Annotations[key] = value
	return v
}

// In makes it accessible from nodes of any of the segments; without a segment, its node affinity has no terms.
func (v *Volume) In(segments ...Segment) *Volume {
	v.object.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: anyOf(segments...)}
	return v
}

// Object returns the volume as built so far.
func (v *Volume) Object() *corev1.PersistentVolume { return v.object }
