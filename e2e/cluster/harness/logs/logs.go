// SPDX-License-Identifier: Apache-2.0

// Package logs reads the logs of the containers in the driver's pods, and of kubelets.
package logs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// OfDriver returns the logs, since the time, of all containers except recording proxies: in the pods of the driver's
// controllers, in the pods with its node plugins on the nodes, and sidecars in other pods of the controllers' namespace.
// The case is skipped if the user may not read logs.
func OfDriver(ctx context.Context, s *harness.Scenario, since time.Time, nodes ...string) []predicate.Log {
	var logs []predicate.Log
	ofDriver := podsOfDriver(ctx, s, nodes)
	for _, pod := range append(ofDriver, podsBeside(ctx, s, ofDriver)...) {
		for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			if predicate.IsOfSuite(container) {
				continue // it writes the requests and answers of others
			}
			if !holds(ofDriver, pod) && !predicate.IsSidecar(container) {
				continue // it may be anything
			}
			runs := []bool{false}
			if startedAgain(pod, container.Name, since) {
				runs = append(runs, true)
			}
			for _, previous := range runs {
				logs = append(logs, predicate.Log{
					Of:       fmt.Sprintf("container %s of pod %s/%s", container.Name, pod.Namespace, pod.Name),
					Platform: predicate.IsSidecar(container), Text: read(ctx, s, pod, container.Name, since, previous),
				})
			}
		}
	}
	return logs
}

// OfKubelet returns the log of the node's kubelet since the time, and false if it does not serve its log.
func OfKubelet(ctx context.Context, s *harness.Scenario, since time.Time, node string) (predicate.Log, bool) {
	text, err := evidence.KubeletLog(ctx, s.Kube, since.Add(-s.Target.Timeouts.Case), node) // by its clock
	if err != nil {
		suite.Reduced(ctx, "the log of the kubelet is not read: %v", err)
		return predicate.Log{}, false
	}
	return predicate.Log{Of: "the kubelet on node " + node, Platform: true, Text: string(text)}, true
}

// podsOfDriver returns the pods of the driver's controllers, and the pods with its node plugins on the nodes.
func podsOfDriver(ctx context.Context, s *harness.Scenario, nodes []string) []corev1.Pod {
	all := harness.MustFindControllers(ctx, s)
	if s.Target.ControllerPerNode {
		return all
	}
	if s.Target.Node == nil {
		suite.Reduced(ctx, "the logs of the driver's node plugins are not read: the profile does not say where they are: cluster.node")
		return all
	}
	plugins, err := s.Target.PodsAt(ctx, s.Target.Node)
	s.Need(err, "finding the driver's node plugins")
	return append(all, slices.DeleteFunc(plugins, func(pod corev1.Pod) bool { return !slices.Contains(nodes, pod.Spec.NodeName) })...)
}

// podsBeside returns the pods in the namespace of the driver's controllers that are neither among these nor node
// plugins.
func podsBeside(ctx context.Context, s *harness.Scenario, ofDriver []corev1.Pod) []corev1.Pod {
	all, err := s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: s.Target.Controller.Namespace})
	s.Need(err, "finding the sidecars in other pods")
	var plugins []corev1.Pod
	if s.Target.Node != nil {
		plugins, err = s.Target.PodsAt(ctx, s.Target.Node)
		s.Need(err, "finding the driver's node plugins")
	}
	return slices.DeleteFunc(all, func(pod corev1.Pod) bool { return holds(ofDriver, pod) || holds(plugins, pod) })
}

func holds(pods []corev1.Pod, pod corev1.Pod) bool {
	return slices.ContainsFunc(pods, func(other corev1.Pod) bool { return other.UID == pod.UID })
}

// startedAgain reports whether the container was restarted after the time.
func startedAgain(pod corev1.Pod, container string, since time.Time) bool {
	return slices.ContainsFunc(slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses), func(status corev1.ContainerStatus) bool {
		before := status.LastTerminationState.Terminated
		return status.Name == container && before != nil && before.FinishedAt.After(since)
	})
}

// read returns the container's log since the time or, if previous is true, the log before its last restart.
func read(ctx context.Context, s *harness.Scenario, pod corev1.Pod, container string, since time.Time, previous bool) string {
	// The node's clock may differ from the local one.
	seconds := int64(math.Ceil(time.Since(since).Seconds()))
	text, err := s.Kube.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{
		Container: container, SinceSeconds: ptr.To(seconds), Previous: previous,
	}).DoRaw(ctx)
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not get pods/log in namespace %s: %v", pod.Namespace, err)
	}
	if apierrors.IsBadRequest(err) || apierrors.IsNotFound(err) { // it waits to be started, or its log was removed
		suite.Reduced(ctx, "the log of container %s of pod %s/%s is not read: %v", container, pod.Namespace, pod.Name, err)
		return ""
	}
	s.Need(err, "reading the log of container %s of pod %s/%s", container, pod.Namespace, pod.Name)
	return string(text)
}
