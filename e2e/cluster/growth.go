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

// hurryKubelet makes the pod's kubelet look at its volumes now: without a change to the
// pod it does so about once a minute.
func (s *scenario) hurryKubelet(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	patch := k8s.Patch{PatchType: types.MergePatchType, Data: []byte(`{"metadata":{"annotations":{"csi-topo/grown":"true"}}}`)}
	s.need(s.resources().Patch(ctx, pod, patch), "annotating pod %s", pod.Name)
}
