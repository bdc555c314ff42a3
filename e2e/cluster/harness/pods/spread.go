// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustRunAll waits for the given number of pods of the case to be ready and returns them.
func MustRunAll(ctx context.Context, s *harness.Scenario, replicas int) []corev1.Pod {
	var pods corev1.PodList
	s.Until(ctx, s.Target.Timeouts.Run, "every pod ready", func(ctx context.Context) error {
		if err := s.Resources().List(ctx, &pods); err != nil {
			return err
		}
		return predicate.AllRun(pods.Items, replicas)
	})
	return pods.Items
}

// MustRunAllButOne waits for all but one of the given number of pods to be ready, and for the scheduler to refuse the last
// for each of the reasons. It returns the running ones.
func MustRunAllButOne(ctx context.Context, s *harness.Scenario, replicas int, reasons ...predicate.Reason) []corev1.Pod {
	var running []corev1.Pod
	s.Until(ctx, s.Target.Timeouts.Run, "all pods but one ready, and one refused", func(ctx context.Context) (err error) {
		var pods corev1.PodList
		if err := s.Resources().List(ctx, &pods); err != nil {
			return err
		}
		running, err = predicate.AllRunButOne(pods.Items, replicas, reasons...)
		return err
	})
	return running
}

// MustBeSpread fails the case unless the pods, and their volumes if they have any, are in exactly these
// zones, and no two zones differ by more than maxSkew.
func MustBeSpread(ctx context.Context, s *harness.Scenario, pods []corev1.Pod, zones []topology.Zone, maxSkew int) {
	perZone, volumesPerZone := map[string]int{}, map[string]int{}
	for _, pod := range pods {
		perZone[s.ZoneOf(&pod).Name]++
		for _, volume := range pod.Spec.Volumes {
			if volume.PersistentVolumeClaim == nil {
				continue
			}
			claim := &corev1.PersistentVolumeClaim{}
			claim.Namespace, claim.Name = pod.Namespace, volume.PersistentVolumeClaim.ClaimName
			claims.MustShareZone(ctx, s, claim, &pod)
			volumesPerZone[s.ZoneOf(&pod).Name]++
		}
	}
	suite.Evidence(ctx, "pods per zone", perZone)
	s.Check(predicate.Spread("pods", perZone, topology.ZoneNames(zones...), len(pods), maxSkew))
	if len(volumesPerZone) == 0 {
		return // pods without volumes
	}
	suite.Evidence(ctx, "volumes per zone", volumesPerZone)
	s.Check(predicate.Spread("volumes", volumesPerZone, topology.ZoneNames(zones...), len(pods), maxSkew))
}
