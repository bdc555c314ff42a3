// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

func TestClassAsAsked(t *testing.T) {
	class := func(change func(*storagev1.StorageClass)) *storagev1.StorageClass {
		mode, grows := storagev1.VolumeBindingWaitForFirstConsumer, false
		made := &storagev1.StorageClass{VolumeBindingMode: &mode, AllowVolumeExpansion: &grows, Parameters: map[string]string{"a": "b"}}
		change(made)
		return made
	}
	asked := class(func(*storagev1.StorageClass) {})
	for _, test := range []struct {
		name string
		made *storagev1.StorageClass
		want string
	}{
		{"as asked", class(func(c *storagev1.StorageClass) { c.UID, c.MountOptions = "1", []string{} }), satisfied},
		{"bound at once", class(func(c *storagev1.StorageClass) {
			mode := storagev1.VolumeBindingImmediate
			c.VolumeBindingMode = &mode
		}), forGood},
		{"allowed to grow", class(func(c *storagev1.StorageClass) { *c.AllowVolumeExpansion = true }), forGood},
		{"allowed in some zones", class(func(c *storagev1.StorageClass) { c.AllowedTopologies = make([]corev1.TopologySelectorTerm, 1) }), forGood},
		{"without its parameters", class(func(c *storagev1.StorageClass) { c.Parameters = nil }), forGood},
		{"retained", class(func(c *storagev1.StorageClass) {
			policy := corev1.PersistentVolumeReclaimRetain
			c.ReclaimPolicy = &policy
		}), forGood},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, ClassAsAsked(asked, test.made), test.want) })
	}
}
