// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
)

// Leave adds objects of these kinds to the evidence of the case.
func (s *Scenario) Leave(kinds ...evidence.Kind) { s.left = append(s.left, kinds...) }

// kindsOf returns the kinds of the case's objects, and of objects that decide about it.
func kindsOf(ctx context.Context, s *Scenario) ([]evidence.Kind, error) {
	const storage, apps = "storage.k8s.io", "apps"
	var kinds []evidence.Kind
	for _, namespace := range append([]string{s.Namespace}, s.others...) {
		kinds = append(kinds,
			evidence.Kind{Kind: "PersistentVolumeClaim", Namespace: namespace}, evidence.Kind{Kind: "Pod", Namespace: namespace},
			evidence.Kind{Group: apps, Kind: "StatefulSet", Namespace: namespace}, evidence.Kind{Group: apps, Kind: "Deployment", Namespace: namespace},
			evidence.Kind{Group: apps, Kind: "ReplicaSet", Namespace: namespace})
	}
	kinds = append(kinds, s.left...)
	_, err := persistentVolumes(ctx, s) // records the case's volumes
	own := func(volume string) bool { _, own := s.ours[volume]; return own }
	text := func(o *unstructured.Unstructured, path ...string) string {
		found, _, _ := unstructured.NestedString(o.Object, path...)
		return found
	}
	return append(kinds,
		evidence.Kind{Kind: "PersistentVolume", Keep: func(o *unstructured.Unstructured) bool { return own(o.GetName()) }},
		evidence.Kind{Group: storage, Kind: "VolumeAttachment", Keep: func(o *unstructured.Unstructured) bool {
			return own(text(o, "spec", "source", "persistentVolumeName"))
		}},
		evidence.Kind{Group: storage, Kind: "StorageClass", Keep: func(o *unstructured.Unstructured) bool { return isNamed(s, o.GetName()) }},
		evidence.Kind{Group: storage, Kind: "CSIStorageCapacity", Keep: func(o *unstructured.Unstructured) bool {
			return isNamed(s, text(o, "storageClassName"))
		}},
		evidence.Kind{Group: storage, Kind: "CSIDriver", Keep: func(o *unstructured.Unstructured) bool { return o.GetName() == s.Target.Driver }},
		evidence.Kind{Group: storage, Kind: "CSINode"},
		evidence.Kind{Kind: "Node"}), err
}

// isNamed reports whether the case gave something the name.
func isNamed(s *Scenario, name string) bool { return strings.HasPrefix(name, s.Namespace+"-") }
