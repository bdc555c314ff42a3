// SPDX-License-Identifier: Apache-2.0

// Package pods creates pods, alone and in sets, and waits for their state.
package pods

import (
	"context"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Create creates the pod as it was built, with the target's image.
func Create(ctx context.Context, s *harness.Scenario, built *workload.Pod) *corev1.Pod {
	pod, err := TryCreate(ctx, s, built)
	s.Need(err, "creating a pod")
	return pod
}

// CreateIn creates the pod in another namespace of the case.
func CreateIn(ctx context.Context, s *harness.Scenario, namespace string, built *workload.Pod) *corev1.Pod {
	pod, err := TryCreateIn(ctx, s, namespace, built)
	s.Need(err, "creating a pod")
	return pod
}

// TryCreate creates the pod as it was built, and returns the API server's error.
func TryCreate(ctx context.Context, s *harness.Scenario, built *workload.Pod) (*corev1.Pod, error) {
	return TryCreateIn(ctx, s, s.Namespace, built)
}

// TryCreateIn creates the pod in another namespace of the case, and returns the API server's error.
func TryCreateIn(ctx context.Context, s *harness.Scenario, namespace string, built *workload.Pod, options ...resources.CreateOption) (*corev1.Pod, error) {
	pod := built.Object()
	pod.Namespace = namespace
	pod.Spec.Containers[0].Image = s.Target.WorkloadImage
	return pod, s.Resources().Create(ctx, pod, options...)
}

// TryPod asks the API server in a dry run whether it would accept the pod.
func TryPod(ctx context.Context, s *harness.Scenario, built *workload.Pod) error {
	_, err := TryCreateIn(ctx, s, s.Namespace, built, func(o *metav1.CreateOptions) { o.DryRun = []string{metav1.DryRunAll} })
	return err
}

// CreateDeployment creates the Deployment as it was built, with the target's image.
func CreateDeployment(ctx context.Context, s *harness.Scenario, built *workload.Deployment) *appsv1.Deployment {
	deployment := built.Object()
	deployment.Namespace = s.Namespace
	deployment.Spec.Template.Spec.Containers[0].Image = s.Target.WorkloadImage
	s.Need(s.Resources().Create(ctx, deployment), "creating a Deployment")
	return deployment
}

// MustRollOut changes the template of the Deployment's pods, and waits until all of them have the new revision.
func MustRollOut(ctx context.Context, s *harness.Scenario, deployment *appsv1.Deployment) {
	change := json.RawMessage(`{"spec":{"template":{"metadata":{"annotations":{"csi-topo/revision":"2"}}}}}`)
	s.Need(s.Patch(ctx, deployment, change), "changing Deployment %s", deployment.Name)
	s.Until(ctx, s.Target.Timeouts.Run, "roll-out of Deployment "+deployment.Name, s.Look(deployment, func() error {
		return predicate.RolledOut(deployment)
	}))
}

// CreateStatefulSet creates the set as it was built, with the target's image.
func CreateStatefulSet(ctx context.Context, s *harness.Scenario, built *workload.StatefulSet) *appsv1.StatefulSet {
	set := built.Size(s.Target.VolumeSize).Object()
	set.Namespace = s.Namespace
	set.Spec.Template.Spec.Containers[0].Image = s.Target.WorkloadImage
	s.Need(s.Resources().Create(ctx, set), "creating a StatefulSet")
	return set
}
