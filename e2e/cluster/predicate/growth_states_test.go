// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// growing returns a claim and a volume of these sizes, where the claim has this state.
func growing(condition corev1.PersistentVolumeClaimConditionType, status corev1.ClaimResourceStatus, allocated, claimed, made string) (*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) {
	claim, volume := &corev1.PersistentVolumeClaim{}, &corev1.PersistentVolume{}
	of := func(size string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)}
	}
	if condition != "" {
		claim.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: condition, Status: corev1.ConditionTrue}, {Type: "Unused", Status: corev1.ConditionTrue}}
	}
	if status != "" {
		claim.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{corev1.ResourceStorage: status}
	}
	claim.Status.AllocatedResources, claim.Status.Capacity, volume.Spec.Capacity = of(allocated), of(claimed), of(made)
	return claim, volume
}

func TestGrowthStates(t *testing.T) {
	const (
		resizing, pending = corev1.PersistentVolumeClaimResizing, corev1.PersistentVolumeClaimFileSystemResizePending
		controller        = corev1.PersistentVolumeClaimControllerResizeInProgress
		waits, node       = corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress
	)
	old, wanted := resource.MustParse("1Gi"), resource.MustParse("2Gi")
	atController := func(c *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) error {
		return GrowsAtController(c, v, old, wanted)
	}
	onNode := func(c *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) error {
		return GrowsOnNode(c, v, old, wanted)
	}
	atEnd := func(c *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) error { return HasGrown(c, v, wanted) }
	for _, test := range []struct {
		name                        string
		judge                       func(*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) error
		condition                   corev1.PersistentVolumeClaimConditionType
		status                      corev1.ClaimResourceStatus
		allocated, claimed, created string
		want                        string
	}{
		{"controller", atController, resizing, controller, "2Gi", "1Gi", "1Gi", satisfied},
		{"controller, without its condition", atController, "", controller, "2Gi", "1Gi", "1Gi", differs},
		{"controller, without its status", atController, resizing, "", "2Gi", "1Gi", "1Gi", differs},
		{"controller, with less allocated", atController, resizing, controller, "1Gi", "1Gi", "1Gi", differs},
		{"controller, and the claim has grown", atController, resizing, controller, "2Gi", "2Gi", "1Gi", differs},
		{"controller, and the volume has grown", atController, resizing, controller, "2Gi", "1Gi", "2Gi", differs},
		{"node, which waits", onNode, pending, waits, "2Gi", "1Gi", "2Gi", satisfied},
		{"node, which has begun", onNode, pending, node, "2Gi", "1Gi", "3Gi", satisfied},
		{"node, without its condition", onNode, resizing, waits, "2Gi", "1Gi", "2Gi", differs},
		{"node, without its status", onNode, pending, controller, "2Gi", "1Gi", "2Gi", differs},
		{"node, and the claim has grown", onNode, pending, node, "2Gi", "2Gi", "2Gi", differs},
		{"node, and the volume has not", onNode, pending, node, "2Gi", "1Gi", "1Gi", differs},
		{"end", atEnd, "", "", "2Gi", "2Gi", "2Gi", satisfied},
		{"end, with a condition", atEnd, pending, "", "2Gi", "2Gi", "2Gi", differs},
		{"end, with a status", atEnd, "", node, "2Gi", "2Gi", "2Gi", differs},
		{"end, of a smaller claim", atEnd, "", "", "2Gi", "1Gi", "2Gi", differs},
		{"end, of a smaller volume", atEnd, "", "", "2Gi", "2Gi", "1Gi", differs},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, test.judge(growing(test.condition, test.status, test.allocated, test.claimed, test.created)), test.want)
		})
	}
}

func TestShrinkRefused(t *testing.T) {
	asking := func(size string) *corev1.PersistentVolumeClaim {
		claim := &corev1.PersistentVolumeClaim{}
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)}
		return claim
	}
	invalid := apierrors.NewInvalid(schema.GroupKind{Kind: "PersistentVolumeClaim"}, "claim", nil)
	wantVerdict(t, ShrinkRefused(invalid, asking("1Gi"), asking("1Gi")), satisfied)
	wantVerdict(t, ShrinkRefused(nil, asking("1Gi"), asking("1Gi")), differs, "OK")
	wantVerdict(t, ShrinkRefused(invalid, asking("1Gi"), asking("512Mi")), differs, "512Mi")
	wantVerdict(t, ShrinkRefused(errors.New("connection lost"), asking("1Gi"), asking("1Gi")), notYet)
}
