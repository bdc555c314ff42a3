// SPDX-License-Identifier: Apache-2.0

package attachments

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

func TestStartOrderKeepsTheFirstChange(t *testing.T) {
	attachment := func(version string, attached bool) *storagev1.VolumeAttachment {
		name := "pv-1"
		a := &storagev1.VolumeAttachment{}
		a.ResourceVersion = version
		a.Spec.Source.PersistentVolumeName = &name
		a.Status.Attached = attached
		return a
	}
	pod := func(version string, running bool) *corev1.Pod {
		p := &corev1.Pod{}
		p.UID, p.ResourceVersion = "pod-1", version
		if running {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
		}
		return p
	}
	order := &StartOrder{volumes: map[string]uint64{}, pods: map[types.UID]uint64{}}
	watcher := watch.NewFakeWithChanSize(6, false)
	watcher.Add(attachment("10", false))
	watcher.Add(pod("11", false))
	watcher.Modify(attachment("12", true))
	watcher.Modify(pod("13", true))
	watcher.Modify(attachment("14", true))
	watcher.Modify(pod("15", true))
	watcher.Stop()
	order.follow(watcher)
	if got := order.Attached("pv-1"); got != 12 {
		t.Errorf("attached at version %d, wanted 12", got)
	}
	if got := order.Started("pod-1"); got != 13 {
		t.Errorf("started at version %d, wanted 13", got)
	}
	if got := order.Attached("pv-2"); got != 0 {
		t.Errorf("a volume that was never attached has version %d, wanted 0", got)
	}
}
