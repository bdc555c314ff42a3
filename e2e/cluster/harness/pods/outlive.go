// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// IsCollected waits for the pod to be gone from a node whose kubelet cannot report its end. A pod that stays is a warning
// by the requirement, and the result is false.
func IsCollected(ctx context.Context, s *harness.Scenario, requirement string, pod *corev1.Pod) bool {
	return s.PlatformMust(ctx, s.Target.Timeouts.Lost, requirement, "pod "+pod.Name+" collected", func(ctx context.Context) error {
		left := pod.DeepCopy()
		err := s.Reread(ctx, left)
		if err == nil {
			return predicate.Uncollected(left)
		}
		return harness.Gone(err, "pod "+pod.Name)
	})
}

// RunsAgain waits for the pod to be ready in one of the zones, with a volume whose earlier node has died. Unavailable
// storage contradicts no clause then: it is a warning by the requirement, and the result is false.
func RunsAgain(ctx context.Context, s *harness.Scenario, requirement string, pod *corev1.Pod, zones ...topology.Zone) bool {
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.NodeNames()...)
	}
	before := s.Events()
	limit := s.Target.Timeouts.Run
	err := s.Within(ctx, limit, s.Look(pod, func() error { return predicate.PodRunsOn(pod, nodes) }))
	switch {
	case err == nil:
		suite.Evidence(ctx, "pod "+pod.Name, map[string]string{"node": pod.Spec.NodeName})
		return true
	case ctx.Err() != nil:
		suite.CouldNotTell("pod %s ready again: the case was ended while waiting: %v", pod.Name, err)
	case !predicate.IsMismatch(err) && len(predicate.Complaints(before, s.Events())) == 0:
		suite.CouldNotTell("pod %s ready again: not within %s, and nothing says why: %v", pod.Name, limit, err)
	}
	harness.WarnPlatform(ctx, s, requirement, "pod "+pod.Name+" ready again: not within "+limit.String()+": "+err.Error())
	return false
}
