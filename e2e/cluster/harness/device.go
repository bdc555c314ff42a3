// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sector is the smallest piece that every device takes in one write, in bytes.
const sector = 4096

// MustBeDevice wants the pod to have the volume as a block device of at least this size, and returns its size in bytes.
func (s *Scenario) MustBeDevice(ctx context.Context, pod *corev1.Pod, least resource.Quantity) int64 {
	kind, err := s.Exec(ctx, pod, "/bin/sh", "-c", "test -b "+workload.DevicePath+" && echo device || ls -ld "+workload.DevicePath+" 2>&1")
	s.Need(err, "looking at the device")
	s.Check(predicate.IsDevice(pod.Name, strings.TrimSpace(kind)))
	bytes, err := s.deviceBytes(ctx, pod)
	s.Need(err, "asking for the size of the device")
	suite.Evidence(ctx, "device of pod "+pod.Name, map[string]any{"path": workload.DevicePath, "bytes": bytes})
	s.Check(predicate.AtLeast("size of the device in pod "+pod.Name, bytes, least.Value()))
	return bytes
}

func (s *Scenario) deviceBytes(ctx context.Context, pod *corev1.Pod) (int64, error) {
	answer, err := s.Exec(ctx, pod, "/bin/blockdev", "--getsize64", workload.DevicePath)
	if err != nil {
		return 0, err
	}
	bytes, err := strconv.ParseInt(strings.TrimSpace(answer), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("blockdev answered %q, wanted a number of bytes: %w", answer, err)
	}
	return bytes, nil
}

// MustWriteDevice wants the pod's device to take the text in its first sector and in the last that begins before this
// many bytes, and to have made it durable.
func (s *Scenario) MustWriteDevice(ctx context.Context, pod *corev1.Pod, bytes int64, text string) {
	for _, at := range []int64{0, bytes/sector - 1} {
		write := fmt.Sprintf("{ printf %%s %s | dd of=%s bs=%d seek=%d conv=sync,fsync,notrunc >/dev/null; } 2>&1", text, workload.DevicePath, sector, at)
		said, err := s.Exec(ctx, pod, "/bin/sh", "-c", write+"; echo exit=$?")
		s.Need(err, "writing to the device")
		if !strings.HasSuffix(strings.TrimSpace(said), "exit=0") {
			s.Fail("writing to the device of pod %s at byte %d:\n  wanted it written\n  found  %s", pod.Name, at*sector, strings.TrimSpace(said))
		}
	}
}

// MustReadDevice wants the text where MustWriteDevice has put it.
func (s *Scenario) MustReadDevice(ctx context.Context, pod *corev1.Pod, bytes int64, text string) {
	for _, at := range []int64{0, bytes/sector - 1} {
		read := fmt.Sprintf("dd if=%s bs=%d skip=%d count=1 2>/dev/null | head -c %d | tr -d '\\000'", workload.DevicePath, sector, at, len(text))
		found, err := s.Exec(ctx, pod, "/bin/sh", "-c", read)
		s.Need(err, "reading from the device")
		if found != text {
			s.Fail("data on the device of pod %s at byte %d:\n  wanted %q, written before\n  found  %q", pod.Name, at*sector, text, found)
		}
	}
}

// MustGrowDevice asks for twice the volume while the pod runs, and waits for the volume, the device inside the pod, and
// the claim to have grown. It returns the device's size in bytes.
func (s *Scenario) MustGrowDevice(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) int64 {
	wanted := s.Times(2)
	s.Need(s.Grow(ctx, claim, wanted), "asking for a larger volume")
	s.MustGrowVolume(ctx, claim, wanted)
	s.HurryKubelet(ctx, pod)
	var bytes int64
	s.Until(ctx, s.Target.Timeouts.Expand, "growth of the device in pod "+pod.Name, s.Look(claim, func() (err error) {
		if bytes, err = s.deviceBytes(ctx, pod); err != nil {
			return err
		}
		return predicate.OnceGrown(claim, wanted, predicate.AtLeast("size of the device in pod "+pod.Name, bytes, wanted.Value()))
	}))
	s.MustHaveGrown(ctx, claim, wanted)
	return bytes
}

// MustBeBlock wants the claim's volume to be a raw block volume, which is the provisioner's to say.
func (s *Scenario) MustBeBlock(ctx context.Context, requirement string, volume *corev1.PersistentVolume) {
	var err error
	switch mode := volume.Spec.VolumeMode; {
	case mode == nil:
		err = errors.New("none")
	case *mode != corev1.PersistentVolumeBlock:
		err = errors.New(string(*mode))
	}
	if err != nil {
		s.PlatformCheck(ctx, requirement, &predicate.Mismatch{Subject: "volumeMode of volume " + volume.Name, Wanted: string(corev1.PersistentVolumeBlock), Found: err.Error()})
	}
}
