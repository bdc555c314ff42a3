// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The kinds of snapshots of one volume and of several: the kinds that users create, and their counterparts for the storage
// system.
const (
	SnapshotKind             = "VolumeSnapshot"
	SnapshotContentKind      = "VolumeSnapshotContent"
	GroupSnapshotKind        = "VolumeGroupSnapshot"
	GroupSnapshotContentKind = "VolumeGroupSnapshotContent"
)

// SnapshotVersion returns the version of the kinds of snapshots, which are not part of Kubernetes: a cluster may lack
// them.
func SnapshotVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: "snapshot.storage.k8s.io", Version: "v1"}
}

// GroupSnapshotVersion returns the version of the kinds of snapshots of several volumes.
func GroupSnapshotVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: "groupsnapshot.storage.k8s.io", Version: "v1"}
}

// SnapshotObject returns an object of one of these kinds with only a name, for reading or deleting it.
func SnapshotObject(kind, name string) *unstructured.Unstructured {
	version := SnapshotVersion()
	if strings.HasPrefix(kind, GroupSnapshotKind) {
		version = GroupSnapshotVersion()
	}
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(version.WithKind(kind))
	object.SetName(name)
	return object
}

// GroupSnapshotClass returns a VolumeGroupSnapshotClass of the driver. Its snapshots are deleted with their
// VolumeGroupSnapshots.
func GroupSnapshotClass(name, driver string, parameters map[string]string) *unstructured.Unstructured {
	return classOf("group-snapshot-class", name, driver, parameters)
}

// GroupSnapshotOf returns a VolumeGroupSnapshot of the volumes of all claims with the label.
func GroupSnapshotOf(namespace, label, value string, class *unstructured.Unstructured) *unstructured.Unstructured {
	snapshot := read("group-snapshot", &unstructured.Unstructured{})
	snapshot.SetNamespace(namespace)
	snapshot.Object["spec"] = map[string]any{
		"volumeGroupSnapshotClassName": class.GetName(),
		"source":                       map[string]any{"selector": map[string]any{"matchLabels": map[string]any{label: value}}},
	}
	return snapshot
}

// SnapshotClass returns a VolumeSnapshotClass of the driver. Its snapshots are deleted with their VolumeSnapshots.
func SnapshotClass(name, driver string, parameters map[string]string) *unstructured.Unstructured {
	return classOf("snapshot-class", name, driver, parameters)
}

func classOf(manifest, name, driver string, parameters map[string]string) *unstructured.Unstructured {
	class := read(manifest, &unstructured.Unstructured{})
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

// SnapshotOf returns a VolumeSnapshot of the claim's volume.
func SnapshotOf(claim *corev1.PersistentVolumeClaim, class *unstructured.Unstructured) *unstructured.Unstructured {
	snapshot := read("snapshot", &unstructured.Unstructured{})
	snapshot.SetNamespace(claim.Namespace)
	snapshot.Object["spec"] = map[string]any{
		"volumeSnapshotClassName": class.GetName(),
		"source":                  map[string]any{"persistentVolumeClaimName": claim.Name},
	}
	return snapshot
}

// SnapshotContentOf returns a VolumeSnapshotContent of the class with an existing source: snapshotHandle, a snapshot, or
// volumeHandle, a volume to take a snapshot of. The snapshot is retained when the object is deleted, and its
// VolumeSnapshot, in the namespace, need not exist.
func SnapshotContentOf(name string, class *unstructured.Unstructured, source, handle, namespace string) *unstructured.Unstructured {
	content := SnapshotObject(SnapshotContentKind, name)
	content.Object["spec"] = map[string]any{
		"deletionPolicy":          "Retain",
		"driver":                  class.Object["driver"],
		"source":                  map[string]any{source: handle},
		"volumeSnapshotClassName": class.GetName(),
		"volumeSnapshotRef":       map[string]any{"namespace": namespace, "name": name},
	}
	return content
}
