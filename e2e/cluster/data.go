package cluster

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

const tokenPath = workload.DataPath + "/token"

// write puts a text on the pod's volume, and waits until it is durable there.
func (s *scenario) write(ctx context.Context, pod *corev1.Pod, text string) {
	ginkgo.GinkgoHelper()
	_, err := s.exec(ctx, pod, "/bin/sh", "-c", fmt.Sprintf("echo %s > %s && sync", text, tokenPath))
	s.need(err, "writing to the volume")
}

// mustWrite wants the pod's volume to take the text, and to have made it durable.
func (s *scenario) mustWrite(ctx context.Context, pod *corev1.Pod, text string) {
	ginkgo.GinkgoHelper()
	complaint, err := s.exec(ctx, pod, "/bin/sh", "-c", fmt.Sprintf("{ echo %s > %s && sync; } 2>&1 || true", text, tokenPath))
	s.need(err, "writing to the volume")
	if complaint = strings.TrimSpace(complaint); complaint != "" {
		s.fail("writing to the volume of pod %s:\n  wanted it written\n  found  %s", pod.Name, complaint)
	}
}

// mustRead wants the text on the pod's volume.
func (s *scenario) mustRead(ctx context.Context, pod *corev1.Pod, text string) {
	ginkgo.GinkgoHelper()
	found, err := s.exec(ctx, pod, "/bin/sh", "-c", "cat "+tokenPath+" || true")
	s.need(err, "reading from the volume")
	if found = strings.TrimSpace(found); found != text {
		s.fail("data on the volume of pod %s:\n  wanted %q, written before\n  found  %q", pod.Name, text, found)
	}
}

// fileSystemSize is the size that df shows inside the pod, in bytes.
func (s *scenario) fileSystemSize(ctx context.Context, pod *corev1.Pod) (int64, error) {
	answer, err := s.exec(ctx, pod, "/bin/df", "-P", "-k", workload.DataPath)
	if err != nil {
		return 0, err
	}
	return predicate.FileSystemBytes(answer)
}

// mustGrow waits for df inside the pod to show that the file system grew with its volume.
func (s *scenario) mustGrow(ctx context.Context, pod *corev1.Pod, before, by int64) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Expand, "df in pod "+pod.Name+" shows the growth", func(ctx context.Context) error {
		size, err := s.fileSystemSize(ctx, pod)
		if err != nil {
			return err
		}
		return predicate.Grown(before, size, by)
	})
}

// exec runs a command in the pod and returns what it wrote to its standard output.
func (s *scenario) exec(ctx context.Context, pod *corev1.Pod, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.target.Timeouts.Call)
	defer cancel()
	var stdout, stderr bytes.Buffer
	err := s.resources().ExecInPod(ctx, pod.Namespace, pod.Name, pod.Spec.Containers[0].Name, command, &stdout, &stderr)
	if err != nil {
		return "", fmt.Errorf("running %q in pod %s: %w %s", strings.Join(command, " "), pod.Name, err, stderr.String())
	}
	return stdout.String(), nil
}
