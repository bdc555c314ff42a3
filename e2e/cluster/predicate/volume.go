// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// AccessibleExactlyFrom requires the volume's node affinity to be one term per segment, each with exactly the segment's
// keys, operator In and its single value, as the provisioner translates the driver's accessible_topology.
func AccessibleExactlyFrom(volume *corev1.PersistentVolume, segments ...Segment) error {
	found, err := AccessibleSegments(volume)
	if err != nil {
		return err
	}
	if wanted, got := canonicalSet(segments), canonicalSet(found); wanted != got {
		return mismatch("topologies in the node affinity of volume "+volume.Name, wanted, got)
	}
	return nil
}

// AccessibleFromSome requires the volume to have exactly x different segments, all of them allowed, and every required
// one among them.
func AccessibleFromSome(volume *corev1.PersistentVolume, x int, required, allowed []Segment) error {
	found, err := AccessibleSegments(volume)
	if err != nil {
		return err
	}
	names := canonicalNames(found)
	ok := len(found) == x && len(slices.Compact(slices.Sorted(slices.Values(names)))) == x
	for _, name := range canonicalNames(required) {
		ok = ok && slices.Contains(names, name)
	}
	for _, name := range names {
		ok = ok && slices.Contains(canonicalNames(allowed), name)
	}
	if !ok {
		return mismatch("topologies in the node affinity of volume "+volume.Name,
			wantedSome(x, required, allowed),
			canonicalSet(found))
	}
	return nil
}

func wantedSome(x int, required, allowed []Segment) string {
	wanted := fmt.Sprintf("%d different of these %s", x, canonicalSet(allowed))
	if len(required) > 0 {
		wanted += fmt.Sprintf(", among them these %s", canonicalSet(required))
	}
	return wanted
}

// AccessibleFrom requires the volume to be accessible from nodes of the segment, and possibly from others.
func AccessibleFrom(volume *corev1.PersistentVolume, segment Segment) error {
	if volume.Spec.NodeAffinity == nil {
		return nil // from everywhere
	}
	found, err := AccessibleSegments(volume)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(found, func(term Segment) bool { return Matches(term, segment) }) {
		return finalMismatch("topologies in the node affinity of volume "+volume.Name, "one of "+Canonical(segment)+" among them", canonicalSet(found))
	}
	return nil
}

// AccessibleSegments reads the volume's node affinity back into topologies; a form that the provisioner never writes is a
// mismatch.
func AccessibleSegments(volume *corev1.PersistentVolume) ([]Segment, error) {
	subject := "node affinity of volume " + volume.Name
	affinity := volume.Spec.NodeAffinity
	if affinity == nil || affinity.Required == nil {
		return nil, mismatch(subject, "nodeSelectorTerms made of the volume's accessible topology", "none")
	}
	segments := make([]Segment, 0, len(affinity.Required.NodeSelectorTerms))
	for _, term := range affinity.Required.NodeSelectorTerms {
		if len(term.MatchFields) > 0 {
			return nil, mismatch(subject, "terms of matchExpressions only", fmt.Sprintf("matchFields %v", term.MatchFields))
		}
		segment := Segment{}
		for _, expression := range term.MatchExpressions {
			if expression.Operator != corev1.NodeSelectorOpIn || len(expression.Values) != 1 {
				return nil, mismatch(subject, "operator In with one value for "+expression.Key,
					fmt.Sprintf("%s %v", expression.Operator, expression.Values))
			}
			if _, twice := segment[expression.Key]; twice {
				return nil, mismatch(subject, "each key once in a term", expression.Key+" twice")
			}
			segment[expression.Key] = expression.Values[0]
		}
		segments = append(segments, segment)
	}
	return segments, nil
}

func canonicalNames(segments []Segment) []string {
	names := make([]string, 0, len(segments))
	for _, segment := range segments {
		names = append(names, Canonical(segment))
	}
	return names
}

// VolumeInPhase requires the volume to be in the phase.
func VolumeInPhase(volume *corev1.PersistentVolume, phase corev1.PersistentVolumePhase) error {
	if volume.Status.Phase != phase {
		return mismatch("volume "+volume.Name, "phase "+string(phase), "phase "+string(volume.Status.Phase))
	}
	return nil
}

// OnlyVolume requires the PersistentVolume of this name to be the only one.
func OnlyVolume(volumes []corev1.PersistentVolume, name string) error {
	if len(volumes) == 1 && volumes[0].Name == name {
		return nil
	}
	found := make([]string, 0, len(volumes))
	for _, volume := range volumes {
		found = append(found, volume.Name)
	}
	return finalMismatch("PersistentVolumes of the driver", name+" alone", fmt.Sprintf("%q", found))
}

// VolumeHolds requires the volume to have at least this capacity.
func VolumeHolds(volume *corev1.PersistentVolume, wanted resource.Quantity) error {
	if got := volume.Spec.Capacity[corev1.ResourceStorage]; got.Cmp(wanted) < 0 {
		return mismatch("capacity of volume "+volume.Name, "at least "+wanted.String(), got.String())
	}
	return nil
}
