// SPDX-License-Identifier: Apache-2.0

package dial

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

const (
	// mountPath is the mount path of the socket's volume in the relay's container.
	mountPath     = "/csi"
	containerName = "csi-topo-relay"
	pollInterval  = 200 * time.Millisecond
)

// relayContainer returns the name of a running ephemeral container that mounts the
// socket's volume, adding one to the pod when it has none.
func (d Dialer) relayContainer(ctx context.Context, socket Socket) (string, error) {
	if socket.Container != "" {
		return socket.Container, nil
	}
	pods := d.Kube.CoreV1().Pods(socket.Namespace)
	var name string
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		pod, err := pods.Get(ctx, socket.Pod, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if name = usableContainer(pod, socket.Volume, d.Image); name != "" {
			return nil
		}
		container, err := newContainer(pod, socket.Volume, d.Image)
		if err != nil {
			return err
		}
		name = container.Name
		pod.Spec.EphemeralContainers = append(pod.Spec.EphemeralContainers, container)
		_, err = pods.UpdateEphemeralContainers(ctx, pod.Name, pod, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return "", fmt.Errorf("adding the relay's ephemeral container: %w", err)
	}
	last := "nothing is known about it"
	err = wait.PollUntilContextCancel(ctx, pollInterval, true, func(ctx context.Context) (bool, error) {
		pod, err := pods.Get(ctx, socket.Pod, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, status := range pod.Status.EphemeralContainerStatuses {
			if status.Name != name {
				continue
			}
			if terminated := status.State.Terminated; terminated != nil {
				return false, fmt.Errorf("it ended: %s %s", terminated.Reason, terminated.Message)
			}
			if waiting := status.State.Waiting; waiting != nil {
				last = fmt.Sprintf("it waits: %s %s", waiting.Reason, waiting.Message)
			}
			return status.State.Running != nil, nil
		}
		return false, nil
	})
	if err != nil {
		return "", fmt.Errorf("ephemeral container %s with image %s does not run (%s): %w", name, d.Image, last, err)
	}
	return name, nil
}

// usableContainer returns the name of an earlier ephemeral container of the pod that can be reused, or the empty string.
func usableContainer(pod *corev1.Pod, volume, image string) string {
	ended := map[string]bool{}
	for _, status := range pod.Status.EphemeralContainerStatuses {
		ended[status.Name] = status.State.Terminated != nil
	}
	for _, container := range pod.Spec.EphemeralContainers {
		if container.Image != image || ended[container.Name] {
			continue
		}
		for _, mount := range container.VolumeMounts {
			if mount.Name == volume && mount.MountPath == mountPath {
				return container.Name
			}
		}
	}
	return ""
}

// newContainer returns an ephemeral container that waits to be used. An ephemeral container is never removed from its pod,
// so each has a unique name.
func newContainer(pod *corev1.Pod, volume, image string) (corev1.EphemeralContainer, error) {
	known := false
	for _, v := range pod.Spec.Volumes {
		known = known || v.Name == volume
	}
	if !known {
		return corev1.EphemeralContainer{}, fmt.Errorf("pod %s/%s has no volume %q: name the one that holds the CSI socket",
			pod.Namespace, pod.Name, volume)
	}
	return corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
		Name:            fmt.Sprintf("%s-%d", containerName, len(pod.Spec.EphemeralContainers)),
		Image:           image,
		ImagePullPolicy: corev1.PullIfNotPresent,
		// It ends at once with its pod; a bare sleep as process 1 would delay the end of the pod.
		Command:         []string{"/bin/sh", "-c", "trap 'exit 0' TERM; sleep 2147483647 & wait"},
		VolumeMounts:    []corev1.VolumeMount{{Name: volume, MountPath: mountPath}},
		SecurityContext: asThePod(pod),
	}}, nil
}

// asThePod returns the security context of a container that may open the sockets of the pod. Usually only the pod's user
// may open them, which is root unless the pod sets another. For any other user, the container meets the restricted Pod
// Security Standard, which the pod's namespace may enforce.
func asThePod(pod *corev1.Pod) *corev1.SecurityContext {
	user, nonRoot, escalation := int64(0), false, false
	if s := pod.Spec.SecurityContext; s != nil && s.RunAsUser != nil {
		user, nonRoot = *s.RunAsUser, *s.RunAsUser != 0
	}
	if !nonRoot {
		return &corev1.SecurityContext{RunAsUser: &user, RunAsNonRoot: &nonRoot}
	}
	return &corev1.SecurityContext{
		RunAsUser:                &user,
		RunAsNonRoot:             &nonRoot,
		AllowPrivilegeEscalation: &escalation,
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
}
