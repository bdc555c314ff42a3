// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
)

// GrowsAtController requires the claim to show that the controller is growing its volume to this size, and the claim and
// the volume to have their old size.
func GrowsAtController(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, old, wanted resource.Quantity) error {
	s := stateOf(claim, volume)
	if !s.has(corev1.PersistentVolumeClaimResizing) || s.status != corev1.PersistentVolumeClaimControllerResizeInProgress ||
		s.allocated.Cmp(wanted) < 0 || s.claim.Cmp(old) != 0 || s.volume.Cmp(wanted) >= 0 {
		return mismatch("growth of claim "+claim.Name+" while the controller works on it", fmt.Sprintf(
			"condition Resizing, status ControllerResizeInProgress, %s allocated, the claim's capacity %s, the volume's less than %s",
			wanted.String(), old.String(), wanted.String()), s.String())
	}
	return nil
}

// GrowsOnNode requires the claim to show that the node must still grow its volume, which has this size, and the claim to
// have the old size.
func GrowsOnNode(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, old, wanted resource.Quantity) error {
	s := stateOf(claim, volume)
	atNode := s.status == corev1.PersistentVolumeClaimNodeResizePending || s.status == corev1.PersistentVolumeClaimNodeResizeInProgress
	if !s.has(corev1.PersistentVolumeClaimFileSystemResizePending) || !atNode || s.claim.Cmp(old) != 0 || s.volume.Cmp(wanted) < 0 {
		return mismatch("growth of claim "+claim.Name+" while the node works on it", fmt.Sprintf(
			"condition FileSystemResizePending, status NodeResizePending or NodeResizeInProgress, the claim's capacity %s, the volume's %s",
			old.String(), wanted.String()), s.String())
	}
	return nil
}

// HasGrown requires the claim and its volume to have this size, and the claim to show nothing more about the growth.
func HasGrown(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, wanted resource.Quantity) error {
	s := stateOf(claim, volume)
	if len(s.conditions) > 0 || s.status != "" || s.claim.Cmp(wanted) < 0 || s.volume.Cmp(wanted) < 0 {
		return mismatch("growth of claim "+claim.Name+" at its end", fmt.Sprintf(
			"no condition, no status, the claim's capacity %s, the volume's %s", wanted.String(), wanted.String()), s.String())
	}
	return nil
}

// growthState is the state of a growth in a claim and its volume.
type growthState struct {
	conditions               []corev1.PersistentVolumeClaimConditionType // of a growth, and true
	status                   corev1.ClaimResourceStatus
	allocated, claim, volume resource.Quantity
}

func stateOf(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) growthState {
	s := growthState{
		status:    claim.Status.AllocatedResourceStatuses[corev1.ResourceStorage],
		allocated: claim.Status.AllocatedResources[corev1.ResourceStorage],
		claim:     claim.Status.Capacity[corev1.ResourceStorage], volume: volume.Spec.Capacity[corev1.ResourceStorage],
	}
	for _, condition := range claim.Status.Conditions {
		switch condition.Type {
		case corev1.PersistentVolumeClaimResizing, corev1.PersistentVolumeClaimFileSystemResizePending,
			corev1.PersistentVolumeClaimControllerResizeError, corev1.PersistentVolumeClaimNodeResizeError:
			if condition.Status == corev1.ConditionTrue {
				s.conditions = append(s.conditions, condition.Type)
			}
		}
	}
	return s
}

func (s growthState) has(condition corev1.PersistentVolumeClaimConditionType) bool {
	return slices.Contains(s.conditions, condition)
}

func (s growthState) String() string {
	var conditions []string
	for _, condition := range s.conditions {
		conditions = append(conditions, string(condition))
	}
	return fmt.Sprintf("conditions [%s], status %q, %s allocated, the claim's capacity %s, the volume's %s",
		strings.Join(conditions, ", "), s.status, s.allocated.String(), s.claim.String(), s.volume.String())
}

// ShrinkRefused requires the API server to refuse a claim that requests less as invalid, and the claim to request the same
// size as before.
func ShrinkRefused(answer error, before, after *corev1.PersistentVolumeClaim) error {
	asks := func(claim *corev1.PersistentVolumeClaim) string {
		return claim.Spec.Resources.Requests.Storage().String()
	}
	if asks(after) != asks(before) {
		return mismatch("claim "+before.Name+", which asked for less than it has", "asks for "+asks(before)+", as before", asks(after))
	}
	switch {
	case answer == nil:
		return mismatch("answer to claim "+before.Name+", which asks for less than it has", "Invalid", "OK")
	case apierrors.IsInvalid(answer):
		return nil
	default:
		return fmt.Errorf("asking for less: %w", answer)
	}
}
