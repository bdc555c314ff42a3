// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// CreateClass creates a StorageClass of the driver; where the words of the case gave it no
// parameters its volumes are accessible from one topology. It returns when the scheduler
// knows of the room for the class: a pod that comes before would be refused first, and
// wait for its next turn.
func (s *Scenario) CreateClass(ctx context.Context, built *workload.Class) *storagev1.StorageClass {
	class := s.createClassOf(ctx, s.Target.Driver, built)
	if s.capacityTracked && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer {
		s.awaitCapacity(ctx, class)
	}
	return class
}

func (s *Scenario) createClassOf(ctx context.Context, driver string, built *workload.Class) *storagev1.StorageClass {
	class := built.Object()
	class.Name = fmt.Sprintf("%s-%d", s.Namespace, len(s.classes))
	class.Provisioner = driver
	if class.Parameters == nil {
		class.Parameters = s.AccessibleFrom(1)
	}
	asked := class.DeepCopy()
	s.Need(s.Resources().Create(ctx, class), "creating StorageClass %s", class.Name)
	s.classes = append(s.classes, class)
	s.Need(predicate.ClassAsAsked(asked, class), "creating StorageClass %s, which this cluster's admission changed", class.Name)
	return class
}

// AllowClassIn has the class allow volumes in these zones alone.
func (s *Scenario) AllowClassIn(ctx context.Context, class *storagev1.StorageClass, zones ...Zone) {
	class.AllowedTopologies = workload.WaitForFirstConsumer().AllowedIn(SegmentsOf(zones...)...).Object().AllowedTopologies
	asked := class.DeepCopy()
	s.Need(s.Resources().Update(ctx, class), "allowing zones in StorageClass %s", class.Name)
	s.Need(predicate.ClassAsAsked(asked, class), "updating StorageClass %s, which this cluster's admission changed", class.Name)
}

// CreateClaim creates a claim of the class, for the target's volume size.
func (s *Scenario) CreateClaim(ctx context.Context, class *storagev1.StorageClass) *corev1.PersistentVolumeClaim {
	return s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(s.Target.VolumeSize))
}

// CreateClaimAs creates the claim as it was built.
func (s *Scenario) CreateClaimAs(ctx context.Context, built *workload.Claim) *corev1.PersistentVolumeClaim {
	claim := built.Object()
	claim.Namespace = s.Namespace
	s.Need(s.Resources().Create(ctx, claim), "creating a claim")
	return claim
}

// CreateVolume creates the PersistentVolume, which nobody's storage is behind.
func (s *Scenario) CreateVolume(ctx context.Context, built *workload.Volume) *corev1.PersistentVolume {
	volume := built.Object()
	s.undo = append(s.undo, func(ctx context.Context) error { return s.delete(ctx, volume) })
	s.Need(s.Resources().Create(ctx, volume), "creating PersistentVolume %s", volume.Name)
	return volume
}

// TryVolume asks the API server whether it would take the PersistentVolume, and creates none.
func (s *Scenario) TryVolume(ctx context.Context, built *workload.Volume) error {
	return s.Resources().Create(ctx, built.Object(), func(o *metav1.CreateOptions) { o.DryRun = []string{metav1.DryRunAll} })
}

// CreatePod creates the pod as it was built, with the target's image.
func (s *Scenario) CreatePod(ctx context.Context, built *workload.Pod) *corev1.Pod {
	pod, err := s.TryCreatePod(ctx, built)
	s.Need(err, "creating a pod")
	return pod
}

// CreatePodIn creates the pod in another namespace of the case.
func (s *Scenario) CreatePodIn(ctx context.Context, namespace string, built *workload.Pod) *corev1.Pod {
	pod, err := s.tryCreatePodIn(ctx, namespace, built)
	s.Need(err, "creating a pod")
	return pod
}

// TryCreatePod is pod where the API server may refuse.
func (s *Scenario) TryCreatePod(ctx context.Context, built *workload.Pod) (*corev1.Pod, error) {
	return s.tryCreatePodIn(ctx, s.Namespace, built)
}

func (s *Scenario) tryCreatePodIn(ctx context.Context, namespace string, built *workload.Pod) (*corev1.Pod, error) {
	pod := built.Object()
	pod.Namespace = namespace
	pod.Spec.Containers[0].Image = s.Target.WorkloadImage
	return pod, s.Resources().Create(ctx, pod)
}

// CreateDeployment creates the Deployment as it was built, with the target's image.
func (s *Scenario) CreateDeployment(ctx context.Context, built *workload.Deployment) *appsv1.Deployment {
	deployment := built.Object()
	deployment.Namespace = s.Namespace
	deployment.Spec.Template.Spec.Containers[0].Image = s.Target.WorkloadImage
	s.Need(s.Resources().Create(ctx, deployment), "creating a Deployment")
	return deployment
}

// Touch changes the claim in a way that means nothing, so that who watches it looks at it again.
func (s *Scenario) Touch(ctx context.Context, claim *corev1.PersistentVolumeClaim) {
	patch := k8s.Patch{PatchType: types.MergePatchType, Data: []byte(`{"metadata":{"annotations":{"csi-topo/touched":"true"}}}`)}
	s.Need(s.Resources().Patch(ctx, claim, patch), "changing claim %s", claim.Name)
}

// MustRollOut changes the template of the Deployment's pods, and waits until all of them are of the new revision.
func (s *Scenario) MustRollOut(ctx context.Context, deployment *appsv1.Deployment) {
	patch := k8s.Patch{PatchType: types.MergePatchType, Data: []byte(`{"spec":{"template":{"metadata":{"annotations":{"csi-topo/revision":"2"}}}}}`)}
	s.Need(s.Resources().Patch(ctx, deployment, patch), "changing Deployment %s", deployment.Name)
	s.Until(ctx, s.Target.Timeouts.Run, "roll-out of Deployment "+deployment.Name, s.Look(deployment, func() error {
		return predicate.RolledOut(deployment)
	}))
}

// CreateStatefulSet creates the set as it was built, with the target's image.
func (s *Scenario) CreateStatefulSet(ctx context.Context, built *workload.StatefulSet) *appsv1.StatefulSet {
	set := built.Size(s.Target.VolumeSize).Object()
	set.Namespace = s.Namespace
	set.Spec.Template.Spec.Containers[0].Image = s.Target.WorkloadImage
	s.Need(s.Resources().Create(ctx, set), "creating a StatefulSet")
	return set
}

// Reread brings an object up to date.
func (s *Scenario) Reread(ctx context.Context, object k8s.Object) error {
	if err := s.Resources().Get(ctx, object.GetName(), object.GetNamespace(), object); err != nil {
		return fmt.Errorf("reading %T %s: %w", object, object.GetName(), err)
	}
	return nil
}

// Look rereads the object and then judges it.
func (s *Scenario) Look(object k8s.Object, judge func() error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := s.Reread(ctx, object); err != nil {
			return err
		}
		return judge()
	}
}
