package harness

import (
	"context"
	"encoding/json"
	"fmt"

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

// MustGrowUnder asks for twice the volume while the pod runs, and waits for the volume, the
// file system that df shows inside the pod, and the claim to have grown, in this order.
func (s *Scenario) MustGrowUnder(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) {
	before, err := s.fileSystemSize(ctx, pod)
	s.Need(err, "asking for the size of the file system")
	wanted := s.Target.VolumeSize.DeepCopy()
	wanted.Add(s.Target.VolumeSize)
	s.Need(s.Grow(ctx, claim, wanted), "asking for a larger volume")
	s.Until(ctx, s.Target.Timeouts.Expand, "volume grown", s.Look(claim, func() error {
		return predicate.VolumeHolds(s.VolumeOf(ctx, claim), wanted)
	}))
	s.hurryKubelet(ctx, pod)
	s.MustGrow(ctx, pod, before, s.Target.VolumeSize.Value())
	s.Until(ctx, s.Target.Timeouts.Expand, "growth of the claim finished", s.Look(claim, func() error {
		return predicate.ClaimHolds(claim, wanted)
	}))
}

// hurryKubelet makes the pod's kubelet look at its volumes now: without a change to the
// pod it does so about once a minute.
func (s *Scenario) hurryKubelet(ctx context.Context, pod *corev1.Pod) {
	patch := k8s.Patch{PatchType: types.MergePatchType, Data: []byte(`{"metadata":{"annotations":{"csi-topo/grown":"true"}}}`)}
	s.Need(s.Resources().Patch(ctx, pod, patch), "annotating pod %s", pod.Name)
}

// Grows reports whether the plugin claims that volumes can be expanded.
func (s *Scenario) Grows() bool { return len(s.driver.byNode) > 0 && s.driver.first().grows }
