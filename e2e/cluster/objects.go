package cluster

import (
	"context"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// class creates a StorageClass of the driver; where the words of the case gave it no
// parameters its volumes are accessible from one topology. It returns when the scheduler
// knows of the room for the class: a pod that comes before would be refused first, and
// wait for its next turn.
func (s *scenario) class(ctx context.Context, built *workload.Class) *storagev1.StorageClass {
	ginkgo.GinkgoHelper()
	class := built.Object()
	class.Name = fmt.Sprintf("%s-%d", s.namespace, len(s.classes))
	class.Provisioner = s.target.Driver
	if class.Parameters == nil {
		class.Parameters = s.target.AccessibleFrom(1)
	}
	s.need(s.resources().Create(ctx, class), "creating StorageClass %s", class.Name)
	s.classes = append(s.classes, class)
	if s.capacityTracked && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer {
		s.awaitCapacity(ctx, class)
	}
	return class
}

// claim creates a claim of the class, for the target's volume size.
func (s *scenario) claim(ctx context.Context, class *storagev1.StorageClass) *corev1.PersistentVolumeClaim {
	ginkgo.GinkgoHelper()
	return s.claimAs(ctx, workload.ClaimOf(class).Size(s.target.VolumeSize))
}

// claimAs creates the claim as it was built.
func (s *scenario) claimAs(ctx context.Context, built *workload.Claim) *corev1.PersistentVolumeClaim {
	ginkgo.GinkgoHelper()
	claim := built.Object()
	claim.Namespace = s.namespace
	s.need(s.resources().Create(ctx, claim), "creating a claim")
	return claim
}

// pod creates the pod as it was built, with the target's image.
func (s *scenario) pod(ctx context.Context, built *workload.Pod) *corev1.Pod {
	ginkgo.GinkgoHelper()
	pod, err := s.createPod(ctx, built)
	s.need(err, "creating a pod")
	return pod
}

// createPod is pod where the API server may refuse.
func (s *scenario) createPod(ctx context.Context, built *workload.Pod) (*corev1.Pod, error) {
	pod := built.Object()
	pod.Namespace = s.namespace
	pod.Spec.Containers[0].Image = s.target.WorkloadImage
	return pod, s.resources().Create(ctx, pod)
}

// statefulSet creates the set as it was built, with the target's image.
func (s *scenario) statefulSet(ctx context.Context, built *workload.StatefulSet) *appsv1.StatefulSet {
	ginkgo.GinkgoHelper()
	set := built.Size(s.target.VolumeSize).Object()
	set.Namespace = s.namespace
	set.Spec.Template.Spec.Containers[0].Image = s.target.WorkloadImage
	s.need(s.resources().Create(ctx, set), "creating a StatefulSet")
	return set
}

// reread brings an object up to date.
func (s *scenario) reread(ctx context.Context, object k8s.Object) error {
	if err := s.resources().Get(ctx, object.GetName(), object.GetNamespace(), object); err != nil {
		return fmt.Errorf("reading %T %s: %w", object, object.GetName(), err)
	}
	return nil
}

// look rereads the object and then asks what there is to say of it.
func (s *scenario) look(object k8s.Object, judge func() error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := s.reread(ctx, object); err != nil {
			return err
		}
		return judge()
	}
}
