// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// tearDown removes everything that the case created, in the order of dependency, so that no controller is refused and backs
// off. It continues after errors and returns all of them. A second call does nothing, unless the first one was interrupted.
func tearDown(ctx context.Context, s *Scenario) error {
	if s.cleanUps.done {
		return nil
	}
	s.placed.End()
	problems := []error{
		backward(ctx, &s.cleanUps.first), RemovePods(ctx, s),
		backward(ctx, &s.cleanUps.oncePodsAreGone), removeClaims(ctx, s),
		backward(ctx, &s.cleanUps.onceClaimsAreGone),
	}
	for _, name := range append(s.others, s.Namespace) {
		namespace := &corev1.Namespace{}
		namespace.Name = name
		problems = append(problems, s.Delete(ctx, namespace))
	}
	s.cleanUps.done = ctx.Err() == nil
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("cleaning up what the case made in the namespaces %s: %w", strings.Join(append(s.others, s.Namespace), ", "), err)
	}
	return nil
}

// OnCleanUp calls the function when the case ends, before any of its objects is removed, in reverse order of registration:
// it undoes a change that the case made outside of its namespace.
func (s *Scenario) OnCleanUp(undo func(context.Context) error) {
	s.cleanUps.first = append(s.cleanUps.first, undo)
}

// OncePodsAreGone calls the function when the case ends, after its pods were removed and before its claims are.
func (s *Scenario) OncePodsAreGone(remove func(context.Context) error) {
	s.cleanUps.oncePodsAreGone = append(s.cleanUps.oncePodsAreGone, remove)
}

// OnceClaimsAreGone calls the function when the case ends, after its claims were removed and before its namespaces are.
func (s *Scenario) OnceClaimsAreGone(remove func(context.Context) error) {
	s.cleanUps.onceClaimsAreGone = append(s.cleanUps.onceClaimsAreGone, remove)
}

// RemovePods deletes the case's pods, and waits until the driver's volumes are detached.
func RemovePods(ctx context.Context, s *Scenario) error {
	at := metav1.ListOptions{}
	problems := []error{
		s.Kube.AppsV1().StatefulSets(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at),
		s.Kube.AppsV1().Deployments(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at),
		s.Kube.CoreV1().Pods(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at),
	}
	problems = append(problems, s.Within(ctx, s.Target.Timeouts.Detach, func(ctx context.Context) error {
		if err := noneLeft(ctx, s, &appsv1.StatefulSetList{}); err != nil {
			return err
		}
		if err := noneLeft(ctx, s, &corev1.PodList{}); err != nil {
			return err
		}
		attachments, err := ownAttachments(ctx, s)
		if err != nil {
			return err
		}
		var names []string
		for _, attachment := range attachments {
			names = append(names, attachment.Name)
		}
		return predicate.NothingLeft(predicate.Holdings{Attachments: s.Before.Attachments}, predicate.Holdings{Attachments: names})
	}))
	return errors.Join(problems...)
}

// removeClaims deletes the case's claims, and waits until their volumes are deleted, including volumes to be retained.
func removeClaims(ctx context.Context, s *Scenario) error {
	volumes, err := ownVolumes(ctx, s)
	if err != nil {
		return err
	}
	if err := RetainNone(ctx, s, volumes); err != nil {
		return err
	}
	err = s.Kube.CoreV1().PersistentVolumeClaims(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("deleting claims: %w", err)
	}
	return s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		if err := noneLeft(ctx, s, &corev1.PersistentVolumeClaimList{}); err != nil {
			return err
		}
		volumes, err := ownVolumes(ctx, s)
		if err == nil && len(volumes) > 0 {
			err = fmt.Errorf("%d volumes are still there, the first is %s in phase %s", len(volumes), volumes[0].Name, volumes[0].Status.Phase)
		}
		return err
	})
}

// RetainNone makes Kubernetes delete the volumes with their claims.
func RetainNone(ctx context.Context, s *Scenario, volumes []corev1.PersistentVolume) error {
	remove := json.RawMessage(`{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`)
	for _, volume := range volumes {
		if volume.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimRetain {
			continue
		}
		if err := s.Patch(ctx, &volume, remove); err != nil {
			return fmt.Errorf("no longer retaining volume %s: %w", volume.Name, err)
		}
	}
	return nil
}

// ownVolumes returns the volumes of claims in the case's namespace.
func ownVolumes(ctx context.Context, s *Scenario) ([]corev1.PersistentVolume, error) {
	volumes, err := persistentVolumes(ctx, s)
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

func noneLeft(ctx context.Context, s *Scenario, list k8s.ObjectList) error {
	if err := s.Resources().List(ctx, list); err != nil {
		return err
	}
	if n := meta.LenList(list); n > 0 {
		return fmt.Errorf("%T still holds %d objects of the case", list, n)
	}
	return nil
}

// AtEnd calls the function to check for leftovers, once everything is removed, unless the case has already ended with a
// verdict.
func (s *Scenario) AtEnd(look func(context.Context)) { s.atEnd = append(s.atEnd, look) }
