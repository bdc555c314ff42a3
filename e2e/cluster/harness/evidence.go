// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// collectWithin is the time limit for a failed case to gather evidence.
const collectWithin = time.Minute

// leaveEvidence writes the evidence of a case that did not pass into the case's directory, before its objects are removed:
//
//	objects.yaml  its objects, and objects of the cluster and the driver that decide about it
//	events.txt    its events
//	calls.jsonl   what Kubernetes asked the driver meanwhile, where recording proxies are
//	logs/         of its pods, the driver's, the scheduler, and the kubelets of the case's nodes, since it began
//
// missing.txt lists evidence that could not be read, such as logs on a cluster that others use.
func leaveEvidence(ctx context.Context, s *Scenario) {
	if s.Target.FailuresDir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, collectWithin)
	defer cancel()
	dir := filepath.Join(s.Target.FailuresDir, s.id)
	missing := collect(ctx, s, dir)
	if missing != nil {
		missing = errors.Join(missing, evidence.Write(dir, "missing.txt", []byte(missing.Error()+"\n")))
	}
	suite.Evidence(ctx, "directory", dir)
	if missing != nil {
		suite.Evidence(ctx, "missing", missing)
	}
}

// collect writes all evidence that it can, and returns an error for the rest.
func collect(ctx context.Context, s *Scenario, dir string) error {
	kinds, kindsErr := kindsOf(ctx, s)
	objects, objectsErr := evidence.Objects(ctx, s.Target.Client, kinds...)
	calls, callsErr := callsMeanwhile(ctx, s)
	nodes, nodesErr := nodesOfPods(ctx, s)
	pods, podsErr := podsWithLogs(ctx, s, nodes)
	return errors.Join(
		kindsErr, objectsErr, evidence.Write(dir, "objects.yaml", objects),
		evidence.Write(dir, "events.txt", []byte(predicate.EventLines(s.Events())+"\n")),
		callsErr, evidence.WriteCalls(dir, "calls.jsonl", calls),
		nodesErr, podsErr, evidence.WriteLogs(ctx, s.Kube, filepath.Join(dir, "logs"), s.began, pods, nodes))
}

// keepCalls keeps the places of the case's volumes and pods, and the calls to the driver about them, for the report.
func keepCalls(ctx context.Context, s *Scenario, o *suite.Outcome) {
	s.placed.End()
	own, err := callsOf(ctx, s)
	if err != nil { // such as for a pod of the driver that is about to be replaced
		suite.Evidence(ctx, "calls that could not be read", err)
	}
	var calls suite.Recorded
	for _, call := range own {
		call.Case = s.id
		if line, err := json.Marshal(call); err == nil {
			calls = append(calls, line)
		}
	}
	o.Record(calls, s.placed.All)
}

// callsOf returns the calls that recording proxies saw about the volumes and snapshots of the case, oldest first. With
// an error, it returns the calls that could be read.
func callsOf(ctx context.Context, s *Scenario) ([]trace.Call, error) {
	ctx, cancel := context.WithTimeout(ctx, collectWithin)
	defer cancel()
	all, err := callsMeanwhile(ctx, s)
	return evidence.OwnCalls(all, s.placed.VolumeNames(), s.Namespace), err
}

// callsMeanwhile returns the calls that recording proxies have recorded since the case began, of all cases, oldest first.
func callsMeanwhile(ctx context.Context, s *Scenario) ([]trace.Call, error) {
	var all []trace.Call
	var missing []error
	for _, at := range []*PodSocket{s.Target.Controller, s.Target.Node} {
		if at == nil || at.Control == "" || at == s.Target.Node && s.Target.ControllerPerNode {
			continue // no such socket, or it is the controller's
		}
		sockets, err := s.Target.ControlSocketsOf(ctx, at)
		missing = append(missing, err)
		for node, socket := range sockets {
			calls, err := s.Lines.Recording(socket).All(ctx)
			if err != nil {
				missing = append(missing, fmt.Errorf("calls to the driver on node %s: %w", node, err))
			}
			all = append(all, calls...)
		}
	}
	return evidence.Since(s.began, all), errors.Join(missing...)
}

// nodesOfPods returns the nodes of the case's pods.
func nodesOfPods(ctx context.Context, s *Scenario) ([]string, error) {
	var nodes []string
	var problems []error
	for _, namespace := range append(slices.Clone(s.others), s.Namespace) {
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

// podsWithLogs returns the case's own pods, the scheduler's if it runs as a pod, the pods of the driver's controllers,
// and the pods with its node plugins on the nodes.
func podsWithLogs(ctx context.Context, s *Scenario, nodes []string) ([]corev1.Pod, error) {
	of := []PodSocket{{Namespace: metav1.NamespaceSystem, Selector: "component=kube-scheduler"}}
	for _, namespace := range append(slices.Clone(s.others), s.Namespace) {
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
		pods, err := s.Target.PodsAt(ctx, &at)
		problems = append(problems, err)
		onNodes := s.Target.Node != nil && at.Selector == s.Target.Node.Selector
		all = append(all, slices.DeleteFunc(pods, func(pod corev1.Pod) bool {
			return onNodes && !slices.Contains(nodes, pod.Spec.NodeName)
		})...)
	}
	return all, errors.Join(problems...)
}
