package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// grow asks for a larger volume and returns the API server's answer.
func (s *scenario) grow(ctx context.Context, claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"resources": map[string]any{
		"requests": map[string]string{"storage": wanted.String()},
	}}})
	if err != nil {
		return fmt.Errorf("writing the patch: %w", err)
	}
	return s.resources().Patch(ctx, claim, k8s.Patch{PatchType: types.MergePatchType, Data: patch})
}

// mustGrowUnder asks for twice the volume while the pod runs, and waits for the volume, the
// file system that df shows inside the pod, and the claim to have grown, in this order.
func (s *scenario) mustGrowUnder(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) {
	ginkgo.GinkgoHelper()
	before, err := s.fileSystemSize(ctx, pod)
	s.need(err, "asking for the size of the file system")
	wanted := s.target.VolumeSize.DeepCopy()
	wanted.Add(s.target.VolumeSize)
	s.need(s.grow(ctx, claim, wanted), "asking for a larger volume")
	s.until(ctx, s.target.Timeouts.Expand, "volume grown", s.look(claim, func() error {
		return predicate.VolumeHolds(s.volumeOf(ctx, claim), wanted)
	}))
	s.hurryKubelet(ctx, pod)
	s.mustGrow(ctx, pod, before, s.target.VolumeSize.Value())
	s.until(ctx, s.target.Timeouts.Expand, "growth of the claim finished", s.look(claim, func() error {
		return predicate.ClaimHolds(claim, wanted)
	}))
}

// hurryKubelet makes the pod's kubelet look at its volumes now: without a change to the
// pod it does so about once a minute.
func (s *scenario) hurryKubelet(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	patch := k8s.Patch{PatchType: types.MergePatchType, Data: []byte(`{"metadata":{"annotations":{"csi-topo/grown":"true"}}}`)}
	s.need(s.resources().Patch(ctx, pod, patch), "annotating pod %s", pod.Name)
}
