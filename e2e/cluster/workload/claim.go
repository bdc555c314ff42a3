// SPDX-License-Identifier: Apache-2.0

package workload

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Claim builds a PersistentVolumeClaim.
type Claim struct{ object *corev1.PersistentVolumeClaim }

// ClaimOf returns a claim of the class for a volume that one node mounts at a time.
func ClaimOf(class *storagev1.StorageClass) *Claim {
	claim := &Claim{read("claim", &corev1.PersistentVolumeClaim{})}
	claim.object.Spec.StorageClassName = &class.Name
	return claim
}

// Size requests a volume of at least the size.
func (c *Claim) Size(size resource.Quantity) *Claim {
	c.object.Spec.Resources.Requests[corev1.ResourceStorage] = size
	return c
}

// Block requests a raw block volume, a device without a file system.
func (c *Claim) Block() *Claim {
	mode := corev1.PersistentVolumeBlock
	c.object.Spec.VolumeMode = &mode
	return c
}

// AccessModes requests a volume that can be used in each of these ways.
func (c *Claim) AccessModes(modes ...corev1.PersistentVolumeAccessMode) *Claim {
	c.object.Spec.AccessModes = modes
	return c
}

// From requests a volume with the data of another claim's volume, or of a
// VolumeSnapshot.
func (c *Claim) From(source corev1.TypedLocalObjectReference) *Claim {
	c.object.Spec.DataSource = &source
	return c
}

// Attributes names the volume's VolumeAttributesClass.
func (c *Claim) Attributes(class *storagev1.VolumeAttributesClass) *Claim {
	c.object.Spec.VolumeAttributesClassName = &class.Name
	return c
}

// Annotated gives the claim an annotation.
func (c *Claim) Annotated(key, value string) *Claim {
	if c.object.Annotations == nil {
		c.object.Annotations = map[string]string{}
	}
	c.object.Annotations[key] = value
	return c
}

// Labelled gives the claim a label.
func (c *Claim) Labelled(key, value string) *Claim {
	if c.object.Labels == nil {
		c.object.Labels = map[string]string{}
	}
	c.object.Labels[key] = value
	return c
}

// For requests exactly the PersistentVolume of this name.
func (c *Claim) For(volume string) *Claim {
	c.object.Spec.VolumeName = volume
	return c
}

// Selecting requests a volume with this label.
func (c *Claim) Selecting(key, value string) *Claim {
	c.object.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
	return c
}

// Named sets the claim's name, for cases where the name matters.
func (c *Claim) Named(name string) *Claim {
	c.object.Name, c.object.GenerateName = name, ""
	return c
}

// Object returns the claim as built so far.
func (c *Claim) Object() *corev1.PersistentVolumeClaim { return c.object }
