// SPDX-License-Identifier: Apache-2.0

package install

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Place is the set of nodes of a cluster that need an image.
type Place int

// The places. Each includes the ones before it.
const (
	Nowhere Place = iota
	ControlPlane
	EveryNode
)

// PlaceOf returns where pods of the objects run any of the images.
func PlaceOf(objects []*unstructured.Unstructured, images []string) Place {
	place := Nowhere
	for _, object := range objects {
		eachPodSpec(object.Object, func(spec map[string]any) {
			if !runs(spec, images) {
				return
			}
			needed := EveryNode
			if selector, _, _ := unstructured.NestedMap(spec, "nodeSelector"); selector != nil {
				if _, bound := selector[controlPlaneLabel]; bound {
					needed = ControlPlane
				}
			}
			place = max(place, needed)
		})
	}
	return place
}

// Runs reports whether pods of the driver run any of the images; built is true if the images were built and false if they
// come from a registry. If a command creates the objects, they may run any image.
func (d Driver) Runs(built bool, images []string) (bool, error) {
	objects, err := d.Objects(!built, nil)
	return len(objects) == 0 || PlaceOf(objects, images) != Nowhere, err
}

// eachPodSpec calls visit with every part of the object that has containers.
func eachPodSpec(object map[string]any, visit func(spec map[string]any)) {
	if _, found := object["containers"].([]any); found {
		visit(object)
		return
	}
	for _, value := range object {
		if nested, ok := value.(map[string]any); ok {
			eachPodSpec(nested, visit)
		}
	}
}

// runs reports whether a container of the pod has one of the images.
func runs(spec map[string]any, images []string) bool {
	for _, field := range []string{"initContainers", "containers"} {
		containers, _ := spec[field].([]any)
		for _, container := range containers {
			fields, _ := container.(map[string]any)
			if image, _ := fields["image"].(string); slices.Contains(images, image) {
				return true
			}
		}
	}
	return false
}
