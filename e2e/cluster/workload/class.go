// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// Class builds a StorageClass; the case gives it a name and a provisioner.
type Class struct{ object *storagev1.StorageClass }

// WaitForFirstConsumer returns a class that creates volumes where their pod will run.
func WaitForFirstConsumer() *Class {
	return &Class{read("class-wait-for-first-consumer", &storagev1.StorageClass{})}
}

// Immediate returns a class that creates volumes before there is a pod.
func Immediate() *Class {
	return &Class{read("class-immediate", &storagev1.StorageClass{})}
}

// AllowedIn allows volumes in each of these segments: one term of allowedTopologies each.
func (c *Class) AllowedIn(segments ...Segment) *Class {
	for _, segment := range segments {
		values := map[string][]string{}
		for key, value := range segment {
			values[key] = []string{value}
		}
		c.AllowedValues(values)
	}
	return c
}

// AllowedValues adds one term to allowedTopologies: any of its values for each of its keys.
func (c *Class) AllowedValues(values map[string][]string) *Class {
	term := corev1.TopologySelectorTerm{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		term.MatchLabelExpressions = append(term.MatchLabelExpressions,
			corev1.TopologySelectorLabelRequirement{Key: key, Values: values[key]})
	}
	c.object.AllowedTopologies = append(c.object.AllowedTopologies, term)
	return c
}

// Parameters sets the parameters that the driver gets with every volume of the class.
func (c *Class) Parameters(parameters map[string]string) *Class {
	c.object.Parameters = parameters
	return c
}

// MountOptions sets the options with which volumes of the class are mounted.
func (c *Class) MountOptions(options ...string) *Class {
	c.object.MountOptions = options
	return c
}

// Retained keeps a volume when its claim is deleted.
func (c *Class) Retained() *Class {
	policy := corev1.PersistentVolumeReclaimRetain
	c.object.ReclaimPolicy = &policy
	return c
}

// NotExpandable forbids claims of the class to grow.
func (c *Class) NotExpandable() *Class {
	expandable := false
	c.object.AllowVolumeExpansion = &expandable
	return c
}

// Object returns the StorageClass as built so far.
func (c *Class) Object() *storagev1.StorageClass { return c.object }
