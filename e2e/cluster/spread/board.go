// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// The label of every pod of a case that constraints count.
const appLabel, app = "app", "workload"

// board is the setting in which a case places pods and then checks further pods, each with a volume of the class or,
// without a class, with none.
type board struct {
	*harness.Scenario
	class *storagev1.StorageClass
}

// boardOf returns a board; volumes says whether its pods have volumes.
func boardOf(ctx context.Context, s *harness.Scenario, volumes bool) board {
	if !volumes {
		return board{Scenario: s}
	}
	return board{s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())}
}

// pod creates a pod of the shape.
func (b board) pod(ctx context.Context, shape func(*workload.Pod) *workload.Pod) *corev1.Pod {
	if b.class == nil {
		return pods.Create(ctx, b.Scenario, shape(workload.SleepingPod()))
	}
	return pods.Create(ctx, b.Scenario, shape(workload.PodWith(claims.Create(ctx, b.Scenario, b.class))))
}

// put creates the given number of pods for each zone, and waits until they are scheduled. They exist only to be counted,
// and have no volumes.
func (b board) put(ctx context.Context, zones []topology.Zone, counts ...int) {
	var there []*corev1.Pod
	for i, count := range counts {
		for range count {
			there = append(there, pods.Create(ctx, b.Scenario, workload.SleepingPod().In(zones[i].Segment).Withheld()))
		}
	}
	pods.MustBeScheduled(ctx, b.Scenario, there...)
}

// putOn creates the given number of pods for each node, and waits until they are scheduled.
func (b board) putOn(ctx context.Context, nodes []topology.Node, counts ...int) {
	var there []*corev1.Pod
	for i, count := range counts {
		for range count {
			there = append(there, pods.Create(ctx, b.Scenario, workload.SleepingPod().OnNode(nodes[i].Hostname).Withheld()))
		}
	}
	pods.MustBeScheduled(ctx, b.Scenario, there...)
}

// blocks is the label value of pods that keep others away, and that no constraint counts.
const blocks = "blocks"

// block keeps unblocked pods out of the zones.
func (b board) block(ctx context.Context, zones ...topology.Zone) {
	for _, zone := range zones {
		pods.MustBeScheduled(ctx, b.Scenario, pods.Create(ctx, b.Scenario, workload.SleepingPod().In(zone.Segment).Labelled(appLabel, blocks).Withheld()))
	}
}

// unblocked keeps the pod out of the blocked zones.
func (b board) unblocked(p *workload.Pod) *workload.Pod {
	return p.Avoiding(b.Target.ZoneKey, appLabel, blocks)
}

// mustRunIn waits for the pod to run in one of the zones, with its volume if it has one.
func (b board) mustRunIn(ctx context.Context, pod *corev1.Pod, zones ...topology.Zone) {
	pods.MustNotBeRefused(ctx, b.Scenario, pod, predicate.NoSpread)
	pods.MustRunIn(ctx, b.Scenario, pod, zones...)
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			claim := &corev1.PersistentVolumeClaim{}
			claim.Namespace, claim.Name = pod.Namespace, volume.PersistentVolumeClaim.ClaimName
			claims.MustShareZone(ctx, b.Scenario, claim, pod)
		}
	}
}

// mustGoTo waits for the pod to be scheduled to one of the zones, running or not.
func (b board) mustGoTo(ctx context.Context, pod *corev1.Pod, zones ...topology.Zone) {
	pods.MustNotBeRefused(ctx, b.Scenario, pod, predicate.NoSpread)
	var nodes []string
	for _, zone := range zones {
		nodes = append(nodes, zone.NodeNames()...)
	}
	b.Check(predicate.PodOn(pod, nodes))
}

// over returns a constraint on the case's pods over the domains of a node label.
func over(label string, maxSkew int32, when corev1.UnsatisfiableConstraintAction) corev1.TopologySpreadConstraint {
	return corev1.TopologySpreadConstraint{
		MaxSkew: maxSkew, TopologyKey: label, WhenUnsatisfiable: when,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{appLabel: app}},
	}
}

// variant is a case with pods that have volumes, or with pods that have none.
type variant struct {
	suffix, words string
	volumes       bool
}

// variants returns both variants.
func variants() []variant {
	return []variant{{suffix: "", words: "a pod"}, {suffix: "_volumes", words: "a pod, with its volume,", volumes: true}}
}
