// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Exec runs a command in the pod and returns its standard output.
func Exec(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, command ...string) (string, error) {
	return ExecIn(ctx, s, pod.Namespace, pod.Name, pod.Spec.Containers[0].Name, command...)
}

// ExecIn runs a command in a container and returns its standard output.
func ExecIn(ctx context.Context, s *harness.Scenario, namespace, pod, container string, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Target.Timeouts.Call)
	defer cancel()
	var stdout, stderr bytes.Buffer
	err := s.Resources().ExecInPod(ctx, namespace, pod, container, command, &stdout, &stderr)
	if err != nil {
		return "", fmt.Errorf("running %q in pod %s: %w %s", strings.Join(command, " "), pod, err, stderr.String())
	}
	return stdout.String(), nil
}
