// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// collectWithin limits how long a failed case gathers evidence.
const collectWithin = time.Minute

// leaveEvidence writes what a case that did not pass saw, before its objects are removed, into a directory of its own:
//
//	objects.yaml  its objects, and those of the cluster and the driver that decide about it
//	events.txt    its events
//	calls.jsonl   what Kubernetes asked the driver meanwhile, where recording proxies are
//	logs/         of its pods, the driver's, the scheduler, and the kubelets of the case's nodes, from its beginning
//
// What cannot be had, such as logs on a cluster that others use, is named in missing.txt.
func (s *Scenario) leaveEvidence(ctx context.Context) {
	if s.Target.FailuresDir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, collectWithin)
	defer cancel()
	dir := filepath.Join(s.Target.FailuresDir, s.id)
	missing := s.collect(ctx, dir)
	if missing != nil {
		missing = errors.Join(missing, write(dir, "missing.txt", []byte(missing.Error()+"\n")))
	}
	suite.Evidence(ctx, "directory", dir)
	if missing != nil {
		suite.Evidence(ctx, "missing", missing)
	}
}

// collect writes all that it can, and returns what it could not.
func (s *Scenario) collect(ctx context.Context, dir string) error {
	objects, err := s.objects(ctx)
	missing := []error{err, write(dir, "objects.yaml", objects), write(dir, "events.txt", []byte(predicate.EventLines(s.Events())+"\n"))}
	calls, err := s.callsMeanwhile(ctx)
	missing = append(missing, err)
	if len(calls) > 0 {
		var lines []byte
		for _, call := range calls {
			line, err := json.Marshal(call)
			missing = append(missing, err)
			lines = append(append(lines, line...), '\n')
		}
		missing = append(missing, write(dir, "calls.jsonl", lines))
	}
	return errors.Join(append(missing, s.collectLogs(ctx, filepath.Join(dir, "logs")))...)
}

// callsMeanwhile are the calls that recording proxies saw since the case began, of all cases, oldest first.
func (s *Scenario) callsMeanwhile(ctx context.Context) ([]trace.Call, error) {
	var all []trace.Call
	var missing []error
	for _, at := range []*PodSocket{s.Target.Controller, s.Target.Node} {
		if at == nil || at.Control == "" || at == s.Target.Node && s.Target.ControllerPerNode {
			continue // there is none, or it was the controller's
		}
		sockets, err := s.Target.controlSocketsOf(ctx, at)
		missing = append(missing, err)
		for node, socket := range sockets {
			calls, err := s.lines.recording(socket).all(ctx)
			if err != nil {
				missing = append(missing, fmt.Errorf("calls to the driver on node %s: %w", node, err))
			}
			all = append(all, calls...)
		}
	}
	return since(s.began, all), errors.Join(missing...)
}

// since are the calls that arrived after the time, in order.
func since(began time.Time, calls []trace.Call) []trace.Call {
	calls = slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool { return call.Time.Before(began) })
	slices.SortStableFunc(calls, func(a, b trace.Call) int { return a.Time.Compare(b.Time) })
	return calls
}

// collectLogs writes the logs since the case began.
func (s *Scenario) collectLogs(ctx context.Context, dir string) error {
	var missing []error
	nodes, err := s.nodesOfPods(ctx)
	missing = append(missing, err)
	pods, err := s.podsWithLogs(ctx, nodes)
	missing = append(missing, err)
	began := metav1.NewTime(s.began)
	for _, pod := range pods {
		for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			log, err := s.kube.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{
				Container: container.Name, SinceTime: &began, Timestamps: true,
			}).DoRaw(ctx)
			if err != nil {
				missing = append(missing, fmt.Errorf("log of container %s of pod %s/%s: %w", container.Name, pod.Namespace, pod.Name, err))
				continue
			}
			missing = append(missing, write(dir, pod.Name+"_"+container.Name+".log", log))
		}
	}
	for _, node := range nodes {
		log, err := s.kube.CoreV1().RESTClient().Get().Resource("nodes").Name(node).SubResource("proxy").Suffix("logs/").
			Param("query", "kubelet").Param("sinceTime", s.began.UTC().Format(time.RFC3339)).DoRaw(ctx)
		if err != nil {
			missing = append(missing, fmt.Errorf("log of the kubelet on node %s, which it serves with enableSystemLogQuery: %w", node, err))
			continue
		}
		missing = append(missing, write(dir, "kubelet_"+node+".log", log))
	}
	return errors.Join(missing...)
}

// nodesOfPods are the nodes that the case's pods were given.
func (s *Scenario) nodesOfPods(ctx context.Context) ([]string, error) {
	var nodes []string
	var problems []error
	for _, namespace := range append(slices.Clone(s.namespaces), s.Namespace) {
		var pods corev1.PodList
		problems = append(problems, s.Target.Client.Resources(namespace).List(ctx, &pods))
		for _, pod := range pods.Items {
			if pod.Spec.NodeName != "" {
				nodes = append(nodes, pod.Spec.NodeName)
			}
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), errors.Join(problems...)
}

// podsWithLogs are the case's own, the scheduler's, where it runs as a pod, the driver's with controllers, and those of its
// pods with node plugins that are on one of the nodes.
func (s *Scenario) podsWithLogs(ctx context.Context, nodes []string) ([]corev1.Pod, error) {
	of := []PodSocket{{Namespace: metav1.NamespaceSystem, Selector: "component=kube-scheduler"}}
	for _, namespace := range append(slices.Clone(s.namespaces), s.Namespace) {
		of = append(of, PodSocket{Namespace: namespace})
	}
	if s.Target.Controller != nil {
		of = append(of, *s.Target.Controller)
	}
	if s.Target.Node != nil && !s.Target.ControllerPerNode {
		of = append(of, *s.Target.Node)
	}
	var all []corev1.Pod
	var problems []error
	for _, at := range of {
		pods, err := s.Target.podsAt(ctx, &at)
		problems = append(problems, err)
		onNodes := s.Target.Node != nil && at.Selector == s.Target.Node.Selector
		all = append(all, slices.DeleteFunc(pods, func(pod corev1.Pod) bool {
			return onNodes && !slices.Contains(nodes, pod.Spec.NodeName)
		})...)
	}
	return all, errors.Join(problems...)
}

// write writes a file of the directory, which it makes.
func write(dir, name string, content []byte) error {
	const dirMode, fileMode = 0o755, 0o644
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return fmt.Errorf("making a directory for evidence: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")), content, fileMode); err != nil {
		return fmt.Errorf("writing evidence: %w", err)
	}
	return nil
}
