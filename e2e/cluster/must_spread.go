package cluster

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// mustRunAll waits for this many pods of the case to be ready and returns them.
func (s *scenario) mustRunAll(ctx context.Context, replicas int) []corev1.Pod {
	ginkgo.GinkgoHelper()
	var pods corev1.PodList
	s.until(ctx, s.target.Timeouts.Run, "every pod ready", func(ctx context.Context) error {
		if err := s.resources().List(ctx, &pods); err != nil {
			return err
		}
		return predicate.AllRun(pods.Items, replicas)
	})
	return pods.Items
}

// mustRunAllButOne waits for all but one of this many pods to be ready, and for the
// scheduler to refuse the last for each of the reasons. It returns those that run.
func (s *scenario) mustRunAllButOne(ctx context.Context, replicas int, reasons ...predicate.Reason) []corev1.Pod {
	ginkgo.GinkgoHelper()
	var running []corev1.Pod
	s.until(ctx, s.target.Timeouts.Run, "all pods but one ready, and one refused", func(ctx context.Context) (err error) {
		var pods corev1.PodList
		if err := s.resources().List(ctx, &pods); err != nil {
			return err
		}
		running, err = predicate.AllRunButOne(pods.Items, replicas, reasons...)
		return err
	})
	return running
}

// mustBeSpread wants the pods and their volumes in these zones alone, with no more than
// maxSkew between any two.
func (s *scenario) mustBeSpread(ctx context.Context, pods []corev1.Pod, zones []zone, maxSkew int) {
	ginkgo.GinkgoHelper()
	perZone, volumesPerZone := map[string]int{}, map[string]int{}
	for _, pod := range pods {
		perZone[s.zoneOf(&pod).name]++
		for _, volume := range pod.Spec.Volumes {
			if volume.PersistentVolumeClaim == nil {
				continue
			}
			claim := &corev1.PersistentVolumeClaim{}
			claim.Namespace, claim.Name = pod.Namespace, volume.PersistentVolumeClaim.ClaimName
			s.mustShareZone(ctx, claim, &pod)
			volumesPerZone[s.zoneOf(&pod).name]++
		}
	}
	verdict.Evidence("pods per zone", perZone)
	verdict.Evidence("volumes per zone", volumesPerZone)
	s.check(predicate.Spread("pods", perZone, zoneNames(zones...), len(pods), maxSkew))
	s.check(predicate.Spread("volumes", volumesPerZone, zoneNames(zones...), len(pods), maxSkew))
}
