// SPDX-License-Identifier: Apache-2.0

package workload

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Deployment builds a set of pods without volumes.
type Deployment struct{ object *appsv1.Deployment }

// DeploymentOf returns a Deployment with the given number of pods.
func DeploymentOf(replicas int32) *Deployment {
	deployment := &Deployment{read("deployment", &appsv1.Deployment{})}
	deployment.object.Spec.Replicas = &replicas
	return deployment
}

// In requires nodes of one of the segments.
func (d *Deployment) In(segments ...Segment) *Deployment {
	d.object.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: anyOf(segments...),
	}}
	return d
}

// Spreading sets topology spread constraints for the pods.
func (d *Deployment) Spreading(constraints ...corev1.TopologySpreadConstraint) *Deployment {
	d.object.Spec.Template.Spec.TopologySpreadConstraints = constraints
	return d
}

// ScheduledBy lets the scheduler of this name place the pods.
func (d *Deployment) ScheduledBy(scheduler string) *Deployment {
	d.object.Spec.Template.Spec.SchedulerName = scheduler
	return d
}

// Object returns the Deployment as built so far.
func (d *Deployment) Object() *appsv1.Deployment { return d.object }
