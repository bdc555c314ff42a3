// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// RemoveByForce deletes the pod without its kubelet, which its node's death has taken away.
func (s *Scenario) RemoveByForce(ctx context.Context, pod *corev1.Pod) {
	s.Need(s.delete(ctx, pod), "deleting pod %s by force", pod.Name)
	s.Until(ctx, s.Target.Timeouts.Lost, "pod "+pod.Name+" gone", func(ctx context.Context) error {
		return gone(s.Reread(ctx, pod.DeepCopy()), "pod "+pod.Name)
	})
}

// IsCollected waits for the pod to be gone from a node whose kubelet cannot say that it has ended. A pod that stays there is
// a warning by the requirement, and false.
func (s *Scenario) IsCollected(ctx context.Context, requirement string, pod *corev1.Pod) bool {
	return s.PlatformMust(ctx, s.Target.Timeouts.Lost, requirement, "pod "+pod.Name+" collected", func(ctx context.Context) error {
		left := pod.DeepCopy()
		err := s.Reread(ctx, left)
		if err == nil {
			return predicate.Uncollected(left)
		}
		return gone(err, "pod "+pod.Name)
	})
}

// LetsGo waits for the volume to be detached from a node that cannot say that it no longer uses it, and returns how long it
// took. A volume that stays attached is a warning by the requirement, and false: the specification allows a driver to
// refuse, as ControllerUnpublishVolume is for volumes that NodeUnstageVolume was called for.
func (s *Scenario) LetsGo(ctx context.Context, requirement string, volume *corev1.PersistentVolume, limit time.Duration) (took time.Duration, done bool) {
	began := time.Now()
	done = s.PlatformMust(ctx, limit, requirement, "volume "+volume.Name+" detached", func(ctx context.Context) error {
		attachments, err := s.attachments(ctx)
		if err != nil {
			return err
		}
		return predicate.Detached(attachments, volume.Name)
	})
	took = time.Since(began)
	suite.Evidence(ctx, "detached from the node that died after", took.Round(10*time.Millisecond).String())
	return took, done
}

// RunsAgain waits for the pod to be ready in one of the zones, with a volume whose earlier node has died. Storage that is
// not to be had then contradicts no clause: it is a warning by the requirement, and false.
func (s *Scenario) RunsAgain(ctx context.Context, requirement string, pod *corev1.Pod, zones ...Zone) bool {
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.NodeNames()...)
	}
	before := s.Events()
	limit := s.Target.Timeouts.Run
	err := s.poll(ctx, limit, s.Look(pod, func() error { return predicate.PodRunsOn(pod, nodes) }))
	switch {
	case err == nil:
		suite.Evidence(ctx, "pod "+pod.Name, map[string]string{"node": pod.Spec.NodeName})
		return true
	case ctx.Err() != nil:
		suite.CouldNotTell("pod %s ready again: the case was ended while waiting: %v", pod.Name, err)
	case !predicate.IsMismatch(err) && len(predicate.Complaints(before, s.Events())) == 0:
		suite.CouldNotTell("pod %s ready again: not within %s, and nothing says why: %v", pod.Name, limit, err)
	}
	s.warnPlatform(ctx, requirement, "pod "+pod.Name+" ready again: not within "+limit.String()+": "+err.Error())
	return false
}
