// SPDX-License-Identifier: Apache-2.0

package attachments

import (
	"context"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// StartOrder records, by resource version, when volumes were first seen attached and pods first seen started. Resource
// versions of one API server are ordered by time, across all kinds of objects.
type StartOrder struct {
	mu      sync.Mutex
	volumes map[string]uint64
	pods    map[types.UID]uint64
}

// WatchStart records until the case ends.
func WatchStart(ctx context.Context, s *harness.Scenario) *StartOrder {
	order := &StartOrder{volumes: map[string]uint64{}, pods: map[types.UID]uint64{}}
	attachments, err := s.Kube.StorageV1().VolumeAttachments().Watch(ctx, metav1.ListOptions{})
	s.Need(err, "watching VolumeAttachments")
	s.OnCleanUp(func(context.Context) error { attachments.Stop(); return nil })
	pods, err := s.Kube.CoreV1().Pods(s.Namespace).Watch(ctx, metav1.ListOptions{})
	s.Need(err, "watching pods")
	s.OnCleanUp(func(context.Context) error { pods.Stop(); return nil })
	go order.follow(attachments)
	go order.follow(pods)
	return order
}

func (o *StartOrder) follow(watcher watch.Interface) {
	for event := range watcher.ResultChan() {
		switch object := event.Object.(type) {
		case *storagev1.VolumeAttachment:
			if name := object.Spec.Source.PersistentVolumeName; name != nil && object.Status.Attached {
				recordFirst(o, o.volumes, *name, object.ResourceVersion)
			}
		case *corev1.Pod:
			for _, container := range object.Status.ContainerStatuses {
				if container.State.Running != nil {
					recordFirst(o, o.pods, object.UID, object.ResourceVersion)
				}
			}
		}
	}
}

func recordFirst[K comparable](o *StartOrder, first map[K]uint64, key K, resourceVersion string) {
	version, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil {
		return // not comparable, so never in order
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, known := first[key]; !known {
		first[key] = version
	}
}

// Attached returns the version of the first change that shows the volume attached, or 0.
func (o *StartOrder) Attached(volume string) uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.volumes[volume]
}

// Started returns the version of the first change that shows the pod's container running, or 0.
func (o *StartOrder) Started(pod types.UID) uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.pods[pod]
}
