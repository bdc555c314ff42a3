// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// objectKind is one kind of object that a failed case leaves.
type objectKind struct {
	schema.GroupVersionKind
	// keep says which of them matter to the case; nil for all of its namespace.
	keep func(*unstructured.Unstructured) bool
}

func kindOf(group, kind string, keep func(*unstructured.Unstructured) bool) objectKind {
	return objectKind{schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}, keep}
}

// objects writes the case's objects, and those that decide about it, as YAML. What cannot be read is in the error.
func (s *Scenario) objects(ctx context.Context) ([]byte, error) {
	const storage, apps = "storage.k8s.io", "apps"
	var text bytes.Buffer
	var problems []error
	for _, namespace := range append([]string{s.Namespace}, s.namespaces...) {
		for _, kind := range []objectKind{
			kindOf("", "PersistentVolumeClaim", nil), kindOf("", "Pod", nil),
			kindOf(apps, "StatefulSet", nil), kindOf(apps, "Deployment", nil), kindOf(apps, "ReplicaSet", nil),
		} {
			problems = append(problems, s.writeObjects(ctx, &text, namespace, kind))
		}
	}
	if s.snapshotClass != nil {
		problems = append(problems, s.writeObjects(ctx, &text, s.Namespace, kindOf(workload.SnapshotVersion().Group, workload.SnapshotKind, nil)),
			s.writeObjects(ctx, &text, corev1.NamespaceAll, kindOf(workload.SnapshotVersion().Group, workload.SnapshotContentKind, s.isOurContent)))
	}
	_, err := s.persistentVolumes(ctx) // which remembers whose they are
	problems = append(problems, err)
	for _, kind := range []objectKind{
		kindOf("", "PersistentVolume", s.isOurs),
		kindOf(storage, "VolumeAttachment", func(o *unstructured.Unstructured) bool {
			volume, _, _ := unstructured.NestedString(o.Object, "spec", "source", "persistentVolumeName")
			_, own := s.ours[volume]
			return own
		}),
		kindOf(storage, "StorageClass", func(o *unstructured.Unstructured) bool { return s.hasClass(o.GetName()) }),
		kindOf(storage, "CSIStorageCapacity", func(o *unstructured.Unstructured) bool {
			class, _, _ := unstructured.NestedString(o.Object, "storageClassName")
			return s.hasClass(class)
		}),
		kindOf(storage, "CSIDriver", func(o *unstructured.Unstructured) bool { return o.GetName() == s.Target.Driver }),
		kindOf(storage, "CSINode", func(*unstructured.Unstructured) bool { return true }),
		kindOf("", "Node", func(*unstructured.Unstructured) bool { return true }),
	} {
		problems = append(problems, s.writeObjects(ctx, &text, corev1.NamespaceAll, kind))
	}
	return text.Bytes(), errors.Join(problems...)
}

func (s *Scenario) isOurs(volume *unstructured.Unstructured) bool {
	_, own := s.ours[volume.GetName()]
	return own
}

// hasClass reports whether the case made the StorageClass.
func (s *Scenario) hasClass(name string) bool {
	for _, class := range s.classes {
		if class.Name == name {
			return true
		}
	}
	return false
}

// writeObjects writes the objects of the kind, without who wrote which of their fields.
func (s *Scenario) writeObjects(ctx context.Context, text *bytes.Buffer, namespace string, kind objectKind) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind.GroupVersionKind)
	if err := s.Target.Client.Resources(namespace).List(ctx, list); err != nil {
		return fmt.Errorf("listing objects of kind %s: %w", kind.Kind, err)
	}
	for _, object := range list.Items {
		if kind.keep != nil && !kind.keep(&object) {
			continue
		}
		object.SetManagedFields(nil)
		written, err := yaml.Marshal(object.Object)
		if err != nil {
			return fmt.Errorf("writing %s %s: %w", kind.Kind, object.GetName(), err)
		}
		text.WriteString("---\n")
		text.Write(written)
	}
	return nil
}
