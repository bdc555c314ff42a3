// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

const tokenPath = workload.DataPath + "/token"

// Write puts a text on the pod's volume, and waits until it is durable there.
func (s *Scenario) Write(ctx context.Context, pod *corev1.Pod, text string) {
	_, err := s.Exec(ctx, pod, "/bin/sh", "-c", fmt.Sprintf("echo %s > %s && sync", text, tokenPath))
	s.Need(err, "writing to the volume")
}

// MustWrite wants the pod's volume to take the text, and to have made it durable.
func (s *Scenario) MustWrite(ctx context.Context, pod *corev1.Pod, text string) {
	complaint, err := s.Exec(ctx, pod, "/bin/sh", "-c", fmt.Sprintf("{ echo %s > %s && sync; } 2>&1 || true", text, tokenPath))
	s.Need(err, "writing to the volume")
	if complaint = strings.TrimSpace(complaint); complaint != "" {
		s.Fail("writing to the volume of pod %s:\n  wanted it written\n  found  %s", pod.Name, complaint)
	}
}

// MustRead wants the text on the pod's volume.
func (s *Scenario) MustRead(ctx context.Context, pod *corev1.Pod, text string) {
	found, err := s.read(ctx, pod)
	s.Need(err, "reading from the volume")
	s.Check(predicate.SameData(pod.Name, found, text))
}

// MustReadSoon waits for the text on the pod's volume, where another pod wrote it over what this one may remember.
func (s *Scenario) MustReadSoon(ctx context.Context, pod *corev1.Pod, text string) {
	s.Until(ctx, s.Target.Timeouts.Bind, "data that another pod wrote", func(ctx context.Context) error {
		found, err := s.read(ctx, pod)
		if err != nil {
			return err
		}
		return predicate.SameData(pod.Name, found, text)
	})
}

// ShouldRead warns by the requirement where the text is not on the pod's volume.
func (s *Scenario) ShouldRead(ctx context.Context, requirement string, pod *corev1.Pod, text string) {
	found, err := s.read(ctx, pod)
	s.Need(err, "reading from the volume")
	s.PlatformCheck(ctx, requirement, predicate.SameData(pod.Name, found, text))
}

func (s *Scenario) read(ctx context.Context, pod *corev1.Pod) (string, error) {
	found, err := s.Exec(ctx, pod, "/bin/sh", "-c", "cat "+tokenPath+" || true")
	return strings.TrimSpace(found), err
}

// WriteMuch puts so many bytes on the pod's volume, which nothing makes fewer, and waits until they are durable there.
func (s *Scenario) WriteMuch(ctx context.Context, pod *corev1.Pod, size int64) {
	_, err := s.Exec(ctx, pod, "/bin/sh", "-c", fmt.Sprintf("head -c %d /dev/urandom > %s/much && sync", size, workload.DataPath))
	s.Need(err, "writing to the volume")
}

func (s *Scenario) fileSystemSize(ctx context.Context, pod *corev1.Pod) (int64, error) {
	answer, err := s.Exec(ctx, pod, "/bin/df", "-P", "-k", workload.DataPath)
	if err != nil {
		return 0, err
	}
	return predicate.FileSystemBytes(answer)
}

// FileSystemSize is the size that df shows inside the pod, in bytes.
func (s *Scenario) FileSystemSize(ctx context.Context, pod *corev1.Pod) int64 {
	bytes, err := s.fileSystemSize(ctx, pod)
	s.Need(err, "asking for the size of the file system")
	return bytes
}

// Exec runs a command in the pod and returns what it wrote to its standard output.
func (s *Scenario) Exec(ctx context.Context, pod *corev1.Pod, command ...string) (string, error) {
	return s.execIn(ctx, pod.Namespace, pod.Name, pod.Spec.Containers[0].Name, command...)
}

// execIn runs a command in a container.
func (s *Scenario) execIn(ctx context.Context, namespace, pod, container string, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Target.Timeouts.Call)
	defer cancel()
	var stdout, stderr bytes.Buffer
	err := s.Resources().ExecInPod(ctx, namespace, pod, container, command, &stdout, &stderr)
	if err != nil {
		return "", fmt.Errorf("running %q in pod %s: %w %s", strings.Join(command, " "), pod, err, stderr.String())
	}
	return stdout.String(), nil
}
