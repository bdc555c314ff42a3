// SPDX-License-Identifier: Apache-2.0

// Package growth requests larger volumes, and waits for them to grow.
package growth

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// MustDoubleDevice requests twice the size while the pod runs, and waits for the volume, the device inside the pod, and
// the claim to have grown. It returns the device's size in bytes.
func MustDoubleDevice(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) int64 {
	wanted := Times(s, 2)
	s.Need(Ask(ctx, s, claim, wanted), "asking for a larger volume")
	MustReachVolume(ctx, s, claim, wanted)
	HurryKubelet(ctx, s, pod)
	var bytes int64
	s.Until(ctx, s.Target.Timeouts.Expand, "growth of the device in pod "+pod.Name, s.Look(claim, func() (err error) {
		if bytes, err = data.DeviceBytes(ctx, s, pod); err != nil {
			return err
		}
		return predicate.OnceGrown(claim, wanted, predicate.AtLeast("size of the device in pod "+pod.Name, bytes, wanted.Value()))
	}))
	MustEnd(ctx, s, claim, wanted)
	return bytes
}

// Ask requests a larger volume and returns the API server's answer.
func Ask(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) error {
	return s.Patch(ctx, claim, map[string]any{"spec": map[string]any{"resources": map[string]any{
		"requests": map[string]string{"storage": wanted.String()},
	}}})
}

// Times returns n times the target's volume size.
func Times(s *harness.Scenario, n int64) resource.Quantity {
	return *resource.NewQuantity(n*s.Target.VolumeSize.Value(), resource.BinarySI)
}

// MustDouble requests twice the size while the pod runs, and waits for the volume, the file system that df shows inside
// the pod, and the claim to have grown, in this order. It returns the size that the file system had before, in bytes.
func MustDouble(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) (before int64) {
	before = data.FileSystemSize(ctx, s, pod)
	wanted := Times(s, 2)
	s.Need(Ask(ctx, s, claim, wanted), "asking for a larger volume")
	MustFinish(ctx, s, pod, claim, before, wanted)
	return before
}

// MustFinish waits for the volume, the file system that df shows inside the pod, and the claim to have grown from the
// target's size to this one.
func MustFinish(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, before int64, wanted resource.Quantity) {
	MustReachVolume(ctx, s, claim, wanted)
	HurryKubelet(ctx, s, pod)
	MustReachPod(ctx, s, pod, claim, before, wanted)
	MustEnd(ctx, s, claim, wanted)
}

// MustReachVolume waits for the claim's volume to have at least this size. A smaller volume does not count against the
// driver until the claim says that the controller has grown it.
func MustReachVolume(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) {
	s.Until(ctx, s.Target.Timeouts.Expand, "volume grown", s.Look(claim, func() error {
		return predicate.OnceGrownByController(claim, wanted, predicate.VolumeHolds(claims.VolumeOf(ctx, s, claim), wanted))
	}))
}

// MustReachPod waits for df inside the pod to show that the file system grew with the claim's volume, which had the
// target's size. A smaller one does not count against the driver until the claim says that the growth is over.
func MustReachPod(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, before int64, wanted resource.Quantity) {
	by := wanted.Value() - s.Target.VolumeSize.Value()
	s.Until(ctx, s.Target.Timeouts.Expand, "df in pod "+pod.Name+" shows the growth", s.Look(claim, func() error {
		size, err := data.ReadFileSystemSize(ctx, s, pod)
		if err != nil {
			return err
		}
		return predicate.OnceGrown(claim, wanted, predicate.Grown(before, size, by))
	}))
}

// MustEnd waits for the claim to say that its growth is over. If pods see the growth and no event reports an error, a claim
// that disagrees does not count against the driver.
func MustEnd(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) {
	s.Until(ctx, s.Target.Timeouts.Expand, "growth of the claim finished", s.Look(claim, func() error {
		return predicate.Undecided(predicate.ClaimHolds(claim, wanted))
	}))
}

// HurryKubelet makes the pod's kubelet check the pod's volumes now; without a change to the pod, it does so about once a
// minute.
func HurryKubelet(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) {
	change := map[string]any{"metadata": map[string]any{"annotations": map[string]string{"csi-topo/grown": time.Now().String()}}}
	s.Need(s.Patch(ctx, pod, change), "annotating pod %s", pod.Name)
}
