// SPDX-License-Identifier: Apache-2.0

// Package metrics reads the metrics of kubelets and sidecars.
package metrics

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// MustShowUsage waits for the metrics of the pod's kubelet to show the claim's volume. A wrong answer of the driver in
// recorded calls fails the case; missing metrics do not.
func MustShowUsage(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) predicate.Usage {
	var shown predicate.Usage
	var recorded *recorder.Node
	if s.Target.Node.Control != "" {
		recorded = recorder.On(ctx, s, s.NodeOf(pod))
	}
	s.Until(ctx, s.Target.Timeouts.Metrics, "metrics of the volume of claim "+claim.Name, func(ctx context.Context) (err error) {
		if shown, err = usage(ctx, s, pod, claim); err != nil {
			return err
		}
		var calls []trace.Call
		if recorded != nil {
			if calls, err = recorded.Calls(ctx, volume); err != nil {
				return err
			}
		}
		if err := predicate.StatsWithTotals(calls); err != nil {
			return err
		}
		return predicate.Shown(shown, calls)
	})
	suite.Evidence(ctx, "metrics of claim "+claim.Name, shown)
	return shown
}

// UsageWithin waits for the metrics to satisfy the predicate, and returns its last error.
func UsageWithin(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, judged func(predicate.Usage) error) error {
	return s.Within(ctx, s.Target.Timeouts.Metrics, func(ctx context.Context) error {
		usage, err := usage(ctx, s, pod, claim)
		if err != nil {
			return err
		}
		return judged(usage)
	})
}

// usage returns the metrics of the pod's kubelet for the claim's volume.
func usage(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) (predicate.Usage, error) {
	samples, err := Scrape(ctx, s, "/api/v1/nodes/"+pod.Spec.NodeName+"/proxy/metrics")
	if err != nil {
		return nil, err
	}
	return predicate.UsageOf(samples, claim.Namespace, claim.Name), nil
}

// Scrape reads metrics through the API server.
func Scrape(ctx context.Context, s *harness.Scenario, path string) (predicate.Samples, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Target.Timeouts.Call)
	defer cancel()
	text, err := s.Kube.CoreV1().RESTClient().Get().AbsPath(path).DoRaw(ctx)
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not read metrics through the API server: %v", err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading metrics at %s: %w", path, err)
	}
	return predicate.ReadSamples(bytes.NewReader(text))
}

// Sidecars returns the paths at the API server of the metrics of the driver's sidecars, by container. The case is skipped
// if no sidecar serves metrics.
func Sidecars(ctx context.Context, s *harness.Scenario) map[string]string {
	found := map[string]string{}
	for _, pod := range harness.MustFindControllers(ctx, s) {
		for _, container := range pod.Spec.Containers {
			if port := metricsPort(container.Args); port != "" && pods.Runs(pod) {
				found[container.Name] = Path(pod.Namespace, pod.Name, port)
			}
		}
	}
	if len(found) == 0 {
		suite.Skip(suite.ByEnvironment, "no container beside the driver's controller serves metrics: none has --http-endpoint or --metrics-address")
	}
	return found
}

// Path returns the path at the API server of the metrics that a pod serves at the port.
func Path(namespace, pod, port string) string {
	return fmt.Sprintf("/api/v1/namespaces/%s/pods/%s:%s/proxy/metrics", namespace, pod, port)
}

// metricsPort returns the port where a sidecar with these arguments serves metrics to others; empty if it does not.
func metricsPort(args []string) string {
	for i, arg := range args {
		name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name != "http-endpoint" && name != "metrics-address" {
			continue
		}
		if !has && i+1 < len(args) {
			value = args[i+1]
		}
		host, port, _ := strings.Cut(value, ":")
		if host == "" || host == "0.0.0.0" {
			return port
		}
	}
	return ""
}

// Operations returns the number of calls of the method that ended with the code, from the sidecars' metrics.
func Operations(ctx context.Context, s *harness.Scenario, sidecars map[string]string, method, code string) (uint64, error) {
	var sum uint64
	for container, path := range sidecars {
		samples, err := Scrape(ctx, s, path)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", container, err)
		}
		sum += samples.Observations("csi_sidecar_operations_seconds", map[string]string{
			"driver_name": s.Target.Driver, "method_name": method, "grpc_status_code": code,
		})
	}
	return sum, nil
}
