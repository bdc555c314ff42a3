// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func expression(key string, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
}

func term(segment Segment) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{
		expression("zone", segment["zone"]), expression("region", segment["region"]),
	}}
}

func volumeWith(terms ...corev1.NodeSelectorTerm) *corev1.PersistentVolume {
	volume := &corev1.PersistentVolume{}
	volume.Name = "pv-1"
	volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: terms}}
	return volume
}

func TestAccessibleExactlyFrom(t *testing.T) {
	notIn := term(z2)
	notIn.MatchExpressions[0].Operator = corev1.NodeSelectorOpNotIn
	twoValues := term(z2)
	twoValues.MatchExpressions[0].Values = []string{"Z2", "Z3"}
	extraKey := term(z2)
	extraKey.MatchExpressions = append(extraKey.MatchExpressions, expression("rack", "1"))
	byField := term(z2)
	byField.MatchFields = []corev1.NodeSelectorRequirement{expression("metadata.name", "w1")}
	twice := term(z2)
	twice.MatchExpressions = append(twice.MatchExpressions, expression("zone", "Z2"))
	tests := []struct {
		name   string
		volume *corev1.PersistentVolume
		from   []Segment
		want   string
	}{
		{"the one segment, keys in any order", volumeWith(term(z2)), []Segment{z2}, satisfied},
		{"both segments, in any order", volumeWith(term(z3), term(z2)), []Segment{z2, z3}, satisfied},
		{"another segment", volumeWith(term(z3)), []Segment{z2}, differs},
		{"one of two", volumeWith(term(z2)), []Segment{z2, z3}, differs},
		{"one more", volumeWith(term(z2), term(z3)), []Segment{z2}, differs},
		{"one of them twice", volumeWith(term(z2), term(z2)), []Segment{z2, z3}, differs},
		{"a key more", volumeWith(extraKey), []Segment{z2}, differs},
		{"a key less", volumeWith(corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{expression("zone", "Z2")}}), []Segment{z2}, differs},
		{"an operator that is not In", volumeWith(notIn), []Segment{z2}, differs},
		{"two values in one term", volumeWith(twoValues), []Segment{z2}, differs},
		{"a key twice in one term", volumeWith(twice), []Segment{z2}, differs},
		{"matchFields", volumeWith(byField), []Segment{z2}, differs},
		{"no node affinity", &corev1.PersistentVolume{}, []Segment{z2}, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, AccessibleExactlyFrom(test.volume, test.from...), test.want)
		})
	}
	wantVerdict(t, AccessibleExactlyFrom(volumeWith(term(z3)), z2), differs, "pv-1", "zone=Z2", "zone=Z3")
}

func TestAccessibleFromSome(t *testing.T) {
	all := []Segment{z2, z3, z4}
	tests := []struct {
		name     string
		volume   *corev1.PersistentVolume
		x        int
		required []Segment
		allowed  []Segment
		want     string
	}{
		{"one of those allowed", volumeWith(term(z3)), 1, nil, []Segment{z2, z3}, satisfied},
		{"one that is not allowed", volumeWith(term(z4)), 1, nil, []Segment{z2, z3}, differs},
		{"more than asked for", volumeWith(term(z2), term(z3)), 1, nil, all, differs},
		{"the required and another", volumeWith(term(z4), term(z2)), 2, []Segment{z2}, all, satisfied},
		{"two without the required", volumeWith(term(z4), term(z3)), 2, []Segment{z2}, all, differs},
		{"the required twice", volumeWith(term(z2), term(z2)), 2, []Segment{z2}, all, differs},
		{"only the required", volumeWith(term(z2)), 2, []Segment{z2}, all, differs},
		{"the required and an unknown one", volumeWith(term(z2), term(Segment{"region": "R1", "zone": "Z9"})), 2, []Segment{z2}, all, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, AccessibleFromSome(test.volume, test.x, test.required, test.allowed), test.want)
		})
	}
}

func TestAccessibleFrom(t *testing.T) {
	tests := []struct {
		name   string
		volume *corev1.PersistentVolume
		want   string
	}{
		{"from there", volumeWith(term(z2)), satisfied},
		{"from there and elsewhere", volumeWith(term(z3), term(z2)), satisfied},
		{"from everywhere", &corev1.PersistentVolume{}, satisfied},
		{"from elsewhere", volumeWith(term(z3), term(z4)), forGood},
		{"from nowhere", volumeWith(), forGood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, AccessibleFrom(test.volume, z2), test.want)
		})
	}
}

func TestVolumeHolds(t *testing.T) {
	volume := volumeWith(term(z2))
	volume.Spec.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("320Mi")}
	wantVerdict(t, VolumeHolds(volume, resource.MustParse("320Mi")), satisfied)
	wantVerdict(t, VolumeHolds(volume, resource.MustParse("640Mi")), differs, "640Mi", "320Mi")
}

func TestOnlyVolume(t *testing.T) {
	named := func(names ...string) []corev1.PersistentVolume {
		volumes := make([]corev1.PersistentVolume, len(names))
		for i, name := range names {
			volumes[i].Name = name
		}
		return volumes
	}
	wantVerdict(t, OnlyVolume(named("a"), "a"), satisfied)
	wantVerdict(t, OnlyVolume(named("a", "b"), "a"), forGood, "a alone", "b")
	wantVerdict(t, OnlyVolume(named("b"), "a"), forGood)
	wantVerdict(t, OnlyVolume(nil, "a"), forGood)
}

func TestVolumeInPhase(t *testing.T) {
	volume := volumeWith(term(z2))
	volume.Status.Phase = corev1.VolumeBound
	wantVerdict(t, VolumeInPhase(volume, corev1.VolumeBound), satisfied)
	wantVerdict(t, VolumeInPhase(volume, corev1.VolumeReleased), differs, "Released", "Bound")
}
