// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/e2e-framework/klient/k8s"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// tearDown removes all that the case made, in the order in which the parts depend on each
// other, so that no controller meets a refusal and waits before it tries again. It does
// what it can and returns everything that went wrong. A second call does nothing.
func (s *Scenario) tearDown(ctx context.Context) error {
	if s.tornDown {
		return nil
	}
	s.tornDown = true
	s.placed.end()
	problems := []error{s.undoAll(ctx), s.removePods(ctx), s.deleteSnapshots(ctx), s.removeClaims(ctx), s.removeSnapshots(ctx)}
	for _, z := range s.all {
		problems = append(problems, s.Drain(ctx, z))
	}
	for _, class := range s.classes {
		problems = append(problems, s.delete(ctx, class))
	}
	for _, name := range append(s.namespaces, s.Namespace) {
		namespace := &corev1.Namespace{}
		namespace.Name = name
		problems = append(problems, s.delete(ctx, namespace))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("cleaning up: %w", err)
	}
	return nil
}

// removePods ends with the driver's volumes detached.
func (s *Scenario) removePods(ctx context.Context) error {
	at := metav1.ListOptions{}
	problems := []error{
		s.kube.AppsV1().StatefulSets(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at),
		s.kube.AppsV1().Deployments(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at),
		s.kube.CoreV1().Pods(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at),
	}
	problems = append(problems, s.poll(ctx, s.Target.Timeouts.Detach, func(ctx context.Context) error {
		if err := s.noneLeft(ctx, &appsv1.StatefulSetList{}); err != nil {
			return err
		}
		if err := s.noneLeft(ctx, &corev1.PodList{}); err != nil {
			return err
		}
		attachments, err := s.ownAttachments(ctx)
		if err != nil {
			return err
		}
		var names []string
		for _, attachment := range attachments {
			names = append(names, attachment.Name)
		}
		return predicate.NothingLeft(predicate.Holdings{Attachments: s.before.Attachments}, predicate.Holdings{Attachments: names})
	}))
	return errors.Join(problems...)
}

// removeClaims ends with the case's volumes deleted, those that were to be retained too.
func (s *Scenario) removeClaims(ctx context.Context) error {
	volumes, err := s.ownVolumes(ctx)
	if err != nil {
		return err
	}
	remove := k8s.Patch{PatchType: types.MergePatchType, Data: []byte(`{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`)}
	for _, volume := range volumes {
		if volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain {
			if err := s.Resources().Patch(ctx, &volume, remove); err != nil {
				return fmt.Errorf("no longer retaining volume %s: %w", volume.Name, err)
			}
		}
	}
	err = s.kube.CoreV1().PersistentVolumeClaims(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("deleting claims: %w", err)
	}
	return s.poll(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		if err := s.noneLeft(ctx, &corev1.PersistentVolumeClaimList{}); err != nil {
			return err
		}
		volumes, err := s.ownVolumes(ctx)
		if err == nil && len(volumes) > 0 {
			err = fmt.Errorf("%d volumes are still there, the first is %s in phase %s", len(volumes), volumes[0].Name, volumes[0].Status.Phase)
		}
		return err
	})
}

// ownVolumes are the volumes of claims in the case's namespace.
func (s *Scenario) ownVolumes(ctx context.Context) ([]corev1.PersistentVolume, error) {
	volumes, err := s.persistentVolumes(ctx)
	if err != nil {
		return nil, err
	}
	var own []corev1.PersistentVolume
	for _, volume := range volumes {
		if claim := volume.Spec.ClaimRef; claim != nil && claim.Namespace == s.Namespace {
			own = append(own, volume)
		}
	}
	return own, nil
}

func (s *Scenario) noneLeft(ctx context.Context, list k8s.ObjectList) error {
	if err := s.Resources().List(ctx, list); err != nil {
		return err
	}
	if n := meta.LenList(list); n > 0 {
		return fmt.Errorf("%T still holds %d objects of the case", list, n)
	}
	return nil
}

func (s *Scenario) delete(ctx context.Context, object k8s.Object) error {
	err := s.Resources().Delete(ctx, object, resources.WithGracePeriod(0))
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting %T %s: %w", object, object.GetName(), err)
	}
	return nil
}
