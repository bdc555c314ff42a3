package cluster

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// mustRun waits for the pod to be ready.
func (s *scenario) mustRun(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Run, "pod "+pod.Name+" ready", s.look(pod, func() error {
		return predicate.PodRuns(pod)
	}))
	verdict.Evidence("pod "+pod.Name, map[string]string{"node": pod.Spec.NodeName, "zone": s.zoneOf(pod).name})
}

// mustRunIn waits for the pod to be ready, and on a node of one of the zones.
func (s *scenario) mustRunIn(ctx context.Context, pod *corev1.Pod, zones ...zone) {
	ginkgo.GinkgoHelper()
	s.mustRun(ctx, pod)
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.nodeNames()...)
	}
	s.check(predicate.PodRunsOn(pod, nodes))
}

// mustBeUnschedulable waits for the scheduler to refuse the pod for each of the reasons.
func (s *scenario) mustBeUnschedulable(ctx context.Context, pod *corev1.Pod, reasons ...predicate.Reason) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Schedule, "pod "+pod.Name+" refused by the scheduler", s.look(pod, func() error {
		return predicate.PodUnschedulable(pod, reasons...)
	}))
	verdict.Evidence("refusal of pod "+pod.Name, pod.Status.Conditions)
}

// mustShareZone wants the volume of a running pod to be accessible from the pod's node,
// and from its zone alone.
func (s *scenario) mustShareZone(ctx context.Context, claim *corev1.PersistentVolumeClaim, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	s.check(predicate.AccessibleExactlyFrom(s.volumeOf(ctx, claim), s.zoneOf(pod).segment))
}

// remove deletes the pod and waits until its node has let go of it.
func (s *scenario) remove(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	s.need(s.resources().Delete(ctx, pod), "deleting pod %s", pod.Name)
	s.until(ctx, s.target.Timeouts.Run, "pod "+pod.Name+" gone", func(ctx context.Context) error {
		return gone(s.reread(ctx, pod.DeepCopy()), "pod "+pod.Name)
	})
}

// gone turns the answer to a read into what it says of an object that should not be there.
func gone(read error, what string) error {
	if apierrors.IsNotFound(read) {
		return nil
	}
	if read != nil {
		return read
	}
	return &predicate.Mismatch{Subject: what, Wanted: "deleted", Found: "still there"}
}
