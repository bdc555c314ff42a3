// SPDX-License-Identifier: Apache-2.0

package workload

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The kinds of snapshots: what users create, and what stands for it on the storage system.
const (
	SnapshotKind        = "VolumeSnapshot"
	SnapshotContentKind = "VolumeSnapshotContent"
)

// SnapshotVersion is that of the kinds of snapshots, which are no part of Kubernetes: a cluster may do without.
func SnapshotVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: "snapshot.storage.k8s.io", Version: "v1"}
}

// SnapshotObject is an object of one of these kinds that has nothing but its name, and can be read or deleted by it.
func SnapshotObject(kind, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(SnapshotVersion().WithKind(kind))
	object.SetName(name)
	return object
}

// SnapshotClass is a VolumeSnapshotClass of the driver, whose snapshots go with their VolumeSnapshots.
func SnapshotClass(name, driver string, parameters map[string]string) *unstructured.Unstructured {
	class := read("snapshot-class", &unstructured.Unstructured{})
	class.SetName(name)
	class.Object["driver"] = driver
	if len(parameters) > 0 {
		given := map[string]any{}
		for key, value := range parameters {
			given[key] = value
		}
		class.Object["parameters"] = given
	}
	return class
}

// SnapshotOf is a VolumeSnapshot of the claim's volume.
func SnapshotOf(claim *corev1.PersistentVolumeClaim, class *unstructured.Unstructured) *unstructured.Unstructured {
	snapshot := read("snapshot", &unstructured.Unstructured{})
	snapshot.SetNamespace(claim.Namespace)
	snapshot.Object["spec"] = map[string]any{
		"volumeSnapshotClassName": class.GetName(),
		"source":                  map[string]any{"persistentVolumeClaimName": claim.Name},
	}
	return snapshot
}
