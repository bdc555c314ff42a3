// SPDX-License-Identifier: Apache-2.0

// Package data writes to volumes and reads from them, through the pods that use them.
package data

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

const tokenPath = workload.DataPath + "/token"

// Write writes a text to the pod's volume, and waits until it is durable.
func Write(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, text string) {
	_, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", fmt.Sprintf("echo %s > %s && sync", text, tokenPath))
	s.Need(err, "writing to the volume")
}

// MustWrite fails the case unless the pod's volume accepts the text and makes it durable.
func MustWrite(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, text string) {
	complaint, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", fmt.Sprintf("{ echo %s > %s && sync; } 2>&1 || true", text, tokenPath))
	s.Need(err, "writing to the volume")
	if complaint = strings.TrimSpace(complaint); complaint != "" {
		s.Fail("writing to the volume of pod %s:\n  wanted it written\n  found  %s", pod.Name, complaint)
	}
}

// MustRead fails the case unless the text is on the pod's volume.
func MustRead(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, text string) {
	found, err := read(ctx, s, pod)
	s.Need(err, "reading from the volume")
	s.Check(predicate.SameData(pod.Name, found, text))
}

// MustReadSoon waits for the text on the pod's volume, after another pod has overwritten data that this pod may have
// cached.
func MustReadSoon(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, text string) {
	s.Until(ctx, s.Target.Timeouts.Bind, "data that another pod wrote", func(ctx context.Context) error {
		found, err := read(ctx, s, pod)
		if err != nil {
			return err
		}
		return predicate.SameData(pod.Name, found, text)
	})
}

// ShouldRead warns by the requirement unless the text is on the pod's volume.
func ShouldRead(ctx context.Context, s *harness.Scenario, requirement string, pod *corev1.Pod, text string) {
	found, err := read(ctx, s, pod)
	s.Need(err, "reading from the volume")
	s.PlatformCheck(ctx, requirement, predicate.SameData(pod.Name, found, text))
}

func read(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) (string, error) {
	found, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", "cat "+tokenPath+" || true")
	return strings.TrimSpace(found), err
}

// MustTake fails the case unless the volume mounted at this path in the pod accepts the text and returns it.
func MustTake(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, at, text string) {
	found, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", fmt.Sprintf("{ echo %s > %s/token && cat %s/token; } 2>&1 || true", text, at, at))
	s.Need(err, "writing to the volume")
	s.Check(predicate.SameData(pod.Name, strings.TrimSpace(found), text))
}

// WriteMuch writes the given number of random bytes to the pod's volume, and waits until they are durable.
func WriteMuch(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, size int64) {
	_, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", fmt.Sprintf("head -c %d /dev/urandom > %s/much && sync", size, workload.DataPath))
	s.Need(err, "writing to the volume")
}

// ReadFileSystemSize reads the size that df shows inside the pod, in bytes. It returns errors, so that callers can
// retry.
func ReadFileSystemSize(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) (int64, error) {
	answer, err := pods.Exec(ctx, s, pod, "/bin/df", "-P", "-k", workload.DataPath)
	if err != nil {
		return 0, err
	}
	return predicate.FileSystemBytes(answer)
}

// FileSystemSize returns the size that df shows inside the pod, in bytes.
func FileSystemSize(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) int64 {
	bytes, err := ReadFileSystemSize(ctx, s, pod)
	s.Need(err, "asking for the size of the file system")
	return bytes
}

// GroupOf returns the id of the group that owns a directory of the pod.
func GroupOf(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, directory string) int64 {
	answer, err := pods.Exec(ctx, s, pod, "/bin/stat", "-c", "%g", directory)
	s.Need(err, "asking for the group of %s", directory)
	group, err := strconv.ParseInt(strings.TrimSpace(answer), 10, 64)
	s.Need(err, "reading the group of %s", directory)
	return group
}
