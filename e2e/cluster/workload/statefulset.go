// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// StatefulSet builds a set of pods with a volume each.
type StatefulSet struct{ object *appsv1.StatefulSet }

// StatefulSetOf returns a set with the given number of pods, each with a claim of the class.
func StatefulSetOf(class *storagev1.StorageClass, replicas int32) *StatefulSet {
	set := &StatefulSet{read("statefulset", &appsv1.StatefulSet{})}
	set.object.Spec.Replicas = &replicas
	set.object.Spec.VolumeClaimTemplates[0].Spec.StorageClassName = &class.Name
	return set
}

// Size requests volumes of at least this size.
func (s *StatefulSet) Size(size resource.Quantity) *StatefulSet {
	s.object.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests[corev1.ResourceStorage] = size
	return s
}

// Block gives each pod a raw block volume as a device instead of a file system.
func (s *StatefulSet) Block() *StatefulSet {
	claim, container := &s.object.Spec.VolumeClaimTemplates[0], &s.object.Spec.Template.Spec.Containers[0]
	mode := corev1.PersistentVolumeBlock
	claim.Spec.VolumeMode = &mode
	container.VolumeMounts = nil
	container.VolumeDevices = []corev1.VolumeDevice{{Name: claim.Name, DevicePath: DevicePath}}
	return s
}

// In requires nodes of one of the segments.
func (s *StatefulSet) In(segments ...Segment) *StatefulSet {
	s.object.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: anyOf(segments...),
	}}
	return s
}

// Spread allows the numbers of pods per value of the node label to differ by maxSkew; whenUnsatisfiable is the policy for a
// pod that would violate this.
func (s *StatefulSet) Spread(label string, maxSkew int32, whenUnsatisfiable corev1.UnsatisfiableConstraintAction) *StatefulSet {
	s.object.Spec.Template.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew:           maxSkew,
		TopologyKey:       label,
		WhenUnsatisfiable: whenUnsatisfiable,
		LabelSelector:     &metav1.LabelSelector{MatchLabels: s.object.Spec.Selector.MatchLabels},
	}}
	return s
}

// DeletingClaims makes Kubernetes delete the claims of pods when the set is scaled down or
// deleted.
func (s *StatefulSet) DeletingClaims() *StatefulSet {
	s.object.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
		WhenScaled: appsv1.DeletePersistentVolumeClaimRetentionPolicyType, WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
	}
	return s
}

// ClaimNameOf returns the name of the claim of a pod of the set.
func ClaimNameOf(set *appsv1.StatefulSet, ordinal int) string {
	return fmt.Sprintf("%s-%s-%d", set.Spec.VolumeClaimTemplates[0].Name, set.Name, ordinal)
}

// Object returns the set as built so far.
func (s *StatefulSet) Object() *appsv1.StatefulSet { return s.object }

// anyOf returns a selector of nodes in one of the segments.
func anyOf(segments ...Segment) *corev1.NodeSelector {
	terms := make([]corev1.NodeSelectorTerm, 0, len(segments))
	for _, segment := range segments {
		terms = append(terms, corev1.NodeSelectorTerm{MatchExpressions: expressions(segment)})
	}
	return &corev1.NodeSelector{NodeSelectorTerms: terms}
}

// expressions returns requirements for a node's labels to equal the segment's, key by key.
func expressions(segment Segment) []corev1.NodeSelectorRequirement {
	wanted := make([]corev1.NodeSelectorRequirement, 0, len(segment))
	for _, key := range slices.Sorted(maps.Keys(segment)) {
		wanted = append(wanted, corev1.NodeSelectorRequirement{
			Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{segment[key]},
		})
	}
	return wanted
}
