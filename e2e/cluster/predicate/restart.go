// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Replaced requires each of the old pods to be gone from the node, and another of the same
// controller to be ready in its place. A pod whose container ends by itself is a mismatch.
func Replaced(old, now []corev1.Pod) error {
	for _, before := range old {
		if slices.ContainsFunc(now, func(pod corev1.Pod) bool { return pod.UID == before.UID }) {
			return fmt.Errorf("pod %s is still there", before.Name)
		}
		at := slices.IndexFunc(now, func(pod corev1.Pod) bool { return sameController(pod, before) })
		if at < 0 {
			return fmt.Errorf("pod %s has no successor on its node yet", before.Name)
		}
		if err := PodRuns(&now[at]); err != nil {
			return crash(now[at], err)
		}
	}
	return nil
}

func sameController(a, b corev1.Pod) bool {
	of, wanted := metav1.GetControllerOf(&a), metav1.GetControllerOf(&b)
	return of != nil && wanted != nil && of.UID == wanted.UID
}

// crash returns the mismatch for a container of the pod that ended, or err if none did.
func crash(pod corev1.Pod, err error) error {
	for _, container := range pod.Status.ContainerStatuses {
		for _, state := range []corev1.ContainerState{container.State, container.LastTerminationState} {
			if ended := state.Terminated; ended != nil {
				return mismatch(fmt.Sprintf("container %s of pod %s", container.Name, pod.Name), "running",
					strings.TrimSpace(fmt.Sprintf("ended %d times, with exit status %d at last: %s %s",
						container.RestartCount+1, ended.ExitCode, ended.Reason, ended.Message)))
			}
		}
	}
	return err
}

// WentOn requires the pod to be the same as before, with each of its containers running and
// not restarted.
func WentOn(before, now *corev1.Pod) error {
	if now.UID != before.UID {
		return mismatch("uid of pod "+now.Name, string(before.UID)+", as before", string(now.UID))
	}
	for _, was := range before.Status.ContainerStatuses {
		subject := fmt.Sprintf("container %s of pod %s", was.Name, now.Name)
		wanted := fmt.Sprintf("running as %s, started again %d times", was.ContainerID, was.RestartCount)
		at := slices.IndexFunc(now.Status.ContainerStatuses, func(is corev1.ContainerStatus) bool { return is.Name == was.Name })
		if at < 0 {
			return mismatch(subject, wanted, "none: "+podState(now))
		}
		is := now.Status.ContainerStatuses[at]
		if is.State.Running == nil {
			return mismatch(subject, wanted, "not running: "+podState(now))
		}
		if is.ContainerID != was.ContainerID || is.RestartCount != was.RestartCount {
			return mismatch(subject, wanted, fmt.Sprintf("running as %s, started again %d times", is.ContainerID, is.RestartCount))
		}
	}
	return nil
}
