// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

const (
	runsWithin  = 3 * time.Minute
	cleanWithin = time.Minute
	look        = 500 * time.Millisecond
)

// image runs a pod with the workload image on one node of each zone, in a separate namespace, which it removes.
func image(ctx context.Context, kube kubernetes.Interface, name string, zones map[string][]string) (err error) {
	namespace, err := kube.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "csi-topo-preflight-"}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating a namespace: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanWithin)
		defer cancel()
		err = errors.Join(err, kube.CoreV1().Namespaces().Delete(ctx, namespace.Name, metav1.DeleteOptions{}))
	}()
	ctx, cancel := context.WithTimeout(ctx, runsWithin)
	defer cancel()
	var pods []string
	for _, zone := range slices.Sorted(maps.Keys(zones)) {
		pod, err := kube.CoreV1().Pods(namespace.Name).Create(ctx, trial(name, zones[zone][0]), metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("creating a pod with the workload image %s on node %s: %w", name, zones[zone][0], err)
		}
		pods = append(pods, pod.Name)
	}
	for _, pod := range pods {
		if err := ran(ctx, kube, namespace.Name, pod, name); err != nil {
			return err
		}
	}
	return nil
}

// trial returns a pod that ends with status 0 if the image contains the programs of the cases' pods.
func trial(image, node string) *corev1.Pod {
	noToken := false
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "image-"},
		Spec: corev1.PodSpec{
			NodeName:                     node,
			RestartPolicy:                corev1.RestartPolicyNever,
			AutomountServiceAccountToken: &noToken,
			Tolerations:                  []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
			Containers: []corev1.Container{{
				Name: "workload", Image: image, ImagePullPolicy: corev1.PullIfNotPresent, Command: []string{"/bin/sh", "-c", "df / && sleep 0"},
			}},
		},
	}
}

// ran waits until the pod has succeeded, and returns an error with the reason if it never will.
func ran(ctx context.Context, kube kubernetes.Interface, namespace, name, image string) error {
	last := &corev1.Pod{}
	var why error
	err := wait.PollUntilContextCancel(ctx, look, true, func(ctx context.Context) (bool, error) {
		pod, err := kube.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		last = pod
		why = refusal(pod, image)
		return pod.Status.Phase == corev1.PodSucceeded || why != nil, nil
	})
	if err != nil {
		return fmt.Errorf("a pod with the workload image %s did not run on node %s within %s, it is %s: %w", image, last.Spec.NodeName, runsWithin, last.Status.Phase, err)
	}
	return why
}

// refusal returns the reason why the pod will never run the image; nil while it may.
func refusal(pod *corev1.Pod, image string) error {
	final := []string{"ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"}
	for _, status := range pod.Status.ContainerStatuses {
		if waiting := status.State.Waiting; waiting != nil && slices.Contains(final, waiting.Reason) {
			return fmt.Errorf("node %s cannot pull the workload image %s: %s: %s; push it to where the nodes find it, or name another with --workload-image", pod.Spec.NodeName, image, waiting.Reason, waiting.Message)
		}
		if ended := status.State.Terminated; ended != nil && ended.ExitCode != 0 {
			return fmt.Errorf("the image %s is not the workload image, as it does not run /bin/sh, df and sleep on node %s: %s %s; name the right one with --workload-image", image, pod.Spec.NodeName, ended.Reason, ended.Message)
		}
	}
	return nil
}
