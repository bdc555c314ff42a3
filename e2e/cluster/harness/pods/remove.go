// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// RemoveByForce deletes the pod without its kubelet, which is down with its node.
func RemoveByForce(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) {
	s.Need(s.Delete(ctx, pod), "deleting pod %s by force", pod.Name)
	s.Until(ctx, s.Target.Timeouts.Lost, "pod "+pod.Name+" gone", func(ctx context.Context) error {
		return harness.Gone(s.Reread(ctx, pod.DeepCopy()), "pod "+pod.Name)
	})
}

// Remove deletes the pod and waits until it is gone. Another pod may then have its name.
func Remove(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) {
	s.Need(s.Resources().Delete(ctx, pod), "deleting pod %s", pod.Name)
	s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" gone", func(ctx context.Context) error {
		now := pod.DeepCopy()
		err := s.Reread(ctx, now)
		if err == nil && now.UID != pod.UID {
			return nil
		}
		return harness.Gone(err, "pod "+pod.Name)
	})
}

// RemoveNow deletes a lingering pod with a grace period of one second.
func RemoveNow(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) {
	s.Need(s.Resources().Delete(ctx, pod, resources.WithGracePeriod(time.Second)), "deleting pod %s at once", pod.Name)
}
