// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustRun waits for the pod to be ready.
func (s *Scenario) MustRun(ctx context.Context, pod *corev1.Pod) {
	s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" ready", s.Look(pod, func() error {
		return predicate.PodRuns(pod)
	}))
	suite.Evidence(ctx, "pod "+pod.Name, map[string]string{"node": pod.Spec.NodeName, "zone": s.ZoneOf(pod).Name})
}

// MustRunIn waits for the pod to be ready, and on a node of one of the zones.
func (s *Scenario) MustRunIn(ctx context.Context, pod *corev1.Pod, zones ...Zone) {
	s.MustRun(ctx, pod)
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.NodeNames()...)
	}
	s.Check(predicate.PodRunsOn(pod, nodes))
}

// MustBeScheduled waits for the pods to have nodes.
func (s *Scenario) MustBeScheduled(ctx context.Context, pods ...*corev1.Pod) {
	for _, pod := range pods {
		s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" scheduled", s.Look(pod, func() error {
			return predicate.PodScheduled(pod)
		}))
	}
}

// MustBeUnschedulable waits for the scheduler to refuse the pod for each of the reasons.
func (s *Scenario) MustBeUnschedulable(ctx context.Context, pod *corev1.Pod, reasons ...predicate.Reason) {
	s.Until(ctx, s.Target.Timeouts.Schedule, "pod "+pod.Name+" refused by the scheduler", s.Look(pod, func() error {
		return predicate.PodUnschedulable(pod, reasons...)
	}))
	suite.Evidence(ctx, "refusal of pod "+pod.Name, pod.Status.Conditions)
}

// MustNotBeRefused waits for the pod to have a node. That the scheduler keeps refusing it for one of the reasons contradicts
// the case.
func (s *Scenario) MustNotBeRefused(ctx context.Context, pod *corev1.Pod, reasons ...predicate.Reason) {
	s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" scheduled", s.Look(pod, func() error {
		return predicate.PodNotRefused(pod, reasons...)
	}))
}

// MustShareZone wants the volume of a running pod to be accessible from the pod's node,
// and from its zone alone.
func (s *Scenario) MustShareZone(ctx context.Context, claim *corev1.PersistentVolumeClaim, pod *corev1.Pod) {
	s.Check(predicate.AccessibleExactlyFrom(s.VolumeOf(ctx, claim), s.ZoneOf(pod).Segment))
}

// Remove deletes the pod and waits until its node has let go of it.
func (s *Scenario) Remove(ctx context.Context, pod *corev1.Pod) {
	s.Need(s.Resources().Delete(ctx, pod), "deleting pod %s", pod.Name)
	s.Until(ctx, s.Target.Timeouts.Run, "pod "+pod.Name+" gone", func(ctx context.Context) error {
		return gone(s.Reread(ctx, pod.DeepCopy()), "pod "+pod.Name)
	})
}

// RemoveNow has a pod that lingers end at once.
func (s *Scenario) RemoveNow(ctx context.Context, pod *corev1.Pod) {
	s.Need(s.Resources().Delete(ctx, pod, resources.WithGracePeriod(time.Second)), "deleting pod %s at once", pod.Name)
}

// gone turns the answer to a read into what it says of an object that should not be there. That it still is there
// contradicts nothing, however long it takes.
func gone(read error, what string) error {
	if apierrors.IsNotFound(read) {
		return nil
	}
	if read != nil {
		return read
	}
	return fmt.Errorf("%s is still there", what)
}
