// SPDX-License-Identifier: Apache-2.0

package data

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sector is the smallest unit that every device accepts in one write, in bytes.
const sector = 4096

// MustBeDevice fails the case unless the volume is a block device of at least this size in the pod, and returns its size in
// bytes.
func MustBeDevice(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, least resource.Quantity) int64 {
	kind, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", "test -b "+workload.DevicePath+" && echo device || ls -ld "+workload.DevicePath+" 2>&1")
	s.Need(err, "looking at the device")
	s.Check(predicate.IsDevice(pod.Name, strings.TrimSpace(kind)))
	bytes, err := DeviceBytes(ctx, s, pod)
	s.Need(err, "asking for the size of the device")
	suite.Evidence(ctx, "device of pod "+pod.Name, map[string]any{"path": workload.DevicePath, "bytes": bytes})
	s.Check(predicate.AtLeast("size of the device in pod "+pod.Name, bytes, least.Value()))
	return bytes
}

// DeviceBytes reads the size of the pod's block device, in bytes.
func DeviceBytes(ctx context.Context, s *harness.Scenario, pod *corev1.Pod) (int64, error) {
	answer, err := pods.Exec(ctx, s, pod, "/bin/blockdev", "--getsize64", workload.DevicePath)
	if err != nil {
		return 0, err
	}
	bytes, err := strconv.ParseInt(strings.TrimSpace(answer), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("blockdev answered %q, wanted a number of bytes: %w", answer, err)
	}
	return bytes, nil
}

// MustWriteDevice writes the text durably to the first sector of the pod's device and to the last whole sector within the
// given number of bytes. It fails the case if the device refuses.
func MustWriteDevice(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, bytes int64, text string) {
	for _, at := range []int64{0, bytes/sector - 1} {
		write := fmt.Sprintf("{ printf %%s %s | dd of=%s bs=%d seek=%d conv=sync,fsync,notrunc >/dev/null; } 2>&1", text, workload.DevicePath, sector, at)
		said, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", write+"; echo exit=$?")
		s.Need(err, "writing to the device")
		if !strings.HasSuffix(strings.TrimSpace(said), "exit=0") {
			s.Fail("writing to the device of pod %s at byte %d:\n  wanted it written\n  found  %s", pod.Name, at*sector, strings.TrimSpace(said))
		}
	}
}

// MustReadDevice fails the case unless the device has the text that MustWriteDevice wrote.
func MustReadDevice(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, bytes int64, text string) {
	for _, at := range []int64{0, bytes/sector - 1} {
		read := fmt.Sprintf("dd if=%s bs=%d skip=%d count=1 2>/dev/null | head -c %d | tr -d '\\000'", workload.DevicePath, sector, at, len(text))
		found, err := pods.Exec(ctx, s, pod, "/bin/sh", "-c", read)
		s.Need(err, "reading from the device")
		if found != text {
			s.Fail("data on the device of pod %s at byte %d:\n  wanted %q, written before\n  found  %q", pod.Name, at*sector, text, found)
		}
	}
}
