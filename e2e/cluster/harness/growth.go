// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// Grow asks for a larger volume and returns the API server's answer.
func (s *Scenario) Grow(ctx context.Context, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"resources": map[string]any{
		"requests": map[string]string{"storage": wanted.String()},
	}}})
	if err != nil {
		return fmt.Errorf("writing the patch: %w", err)
	}
	return s.Resources().Patch(ctx, claim, k8s.Patch{PatchType: types.MergePatchType, Data: patch})
}

// Times is so many times the target's volume size.
func (s *Scenario) Times(n int64) resource.Quantity {
	return *resource.NewQuantity(n*s.Target.VolumeSize.Value(), resource.BinarySI)
}

// MustGrowUnder asks for twice the volume while the pod runs, and waits for the volume, the
// file system that df shows inside the pod, and the claim to have grown, in this order.
// It returns the size that the file system had before, in bytes.
func (s *Scenario) MustGrowUnder(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) (before int64) {
	before = s.FileSystemSize(ctx, pod)
	wanted := s.Times(2)
	s.Need(s.Grow(ctx, claim, wanted), "asking for a larger volume")
	s.MustFinishGrowth(ctx, pod, claim, before, wanted)
	return before
}

// MustFinishGrowth waits for the volume, the file system that df shows inside the pod, and the claim to have grown from the
// target's size to this one.
func (s *Scenario) MustFinishGrowth(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, before int64, wanted resource.Quantity) {
	s.MustGrowVolume(ctx, claim, wanted)
	s.HurryKubelet(ctx, pod)
	s.MustGrow(ctx, pod, claim, before, wanted)
	s.MustHaveGrown(ctx, claim, wanted)
}

// MustGrowVolume waits for the claim's volume to hold this much. It is no fault of the driver that it is smaller for as long
// as the claim does not say that the controller has grown it.
func (s *Scenario) MustGrowVolume(ctx context.Context, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) {
	s.Until(ctx, s.Target.Timeouts.Expand, "volume grown", s.Look(claim, func() error {
		return predicate.OnceGrownByController(claim, wanted, predicate.VolumeHolds(s.VolumeOf(ctx, claim), wanted))
	}))
}

// MustGrow waits for df inside the pod to show that the file system grew with the claim's volume, which had the target's
// size. It is no fault of the driver that it is smaller for as long as the claim does not say that the growth is over.
func (s *Scenario) MustGrow(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, before int64, wanted resource.Quantity) {
	by := wanted.Value() - s.Target.VolumeSize.Value()
	s.Until(ctx, s.Target.Timeouts.Expand, "df in pod "+pod.Name+" shows the growth", s.Look(claim, func() error {
		size, err := s.fileSystemSize(ctx, pod)
		if err != nil {
			return err
		}
		return predicate.OnceGrown(claim, wanted, predicate.Grown(before, size, by))
	}))
}

// MustHaveGrown waits for the claim to say that its growth is over. Where pods see it grown and nobody complains, what the
// claim says is not the driver's.
func (s *Scenario) MustHaveGrown(ctx context.Context, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) {
	s.Until(ctx, s.Target.Timeouts.Expand, "growth of the claim finished", s.Look(claim, func() error {
		return predicate.Undecided(predicate.ClaimHolds(claim, wanted))
	}))
}

// HurryKubelet makes the pod's kubelet look at its volumes now: without a change to the
// pod it does so about once a minute.
func (s *Scenario) HurryKubelet(ctx context.Context, pod *corev1.Pod) {
	patch := k8s.Patch{PatchType: types.MergePatchType, Data: fmt.Appendf(nil, `{"metadata":{"annotations":{"csi-topo/grown":%q}}}`, time.Now())}
	s.Need(s.Resources().Patch(ctx, pod, patch), "annotating pod %s", pod.Name)
}
