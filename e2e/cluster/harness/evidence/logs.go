// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// WriteLogs writes the logs of the pods, and of the kubelets of the nodes, since the time.
func WriteLogs(ctx context.Context, kube kubernetes.Interface, dir string, since time.Time, pods []corev1.Pod, nodes []string) error {
	var missing []error
	began := metav1.NewTime(since)
	for _, pod := range pods {
		for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			log, err := kube.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{
				Container: container.Name, SinceTime: &began, Timestamps: true,
			}).DoRaw(ctx)
			if err != nil {
				missing = append(missing, fmt.Errorf("log of container %s of pod %s/%s: %w", container.Name, pod.Namespace, pod.Name, err))
				continue
			}
			missing = append(missing, Write(dir, pod.Name+"_"+container.Name+".log", log))
		}
	}
	for _, node := range nodes {
		log, err := KubeletLog(ctx, kube, since, node)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		missing = append(missing, Write(dir, "kubelet_"+node+".log", log))
	}
	return errors.Join(missing...)
}

// KubeletLog returns the log of the node's kubelet since the time.
func KubeletLog(ctx context.Context, kube kubernetes.Interface, since time.Time, node string) ([]byte, error) {
	log, err := kube.CoreV1().RESTClient().Get().Resource("nodes").Name(node).SubResource("proxy").Suffix("logs/").
		Param("query", "kubelet").Param("sinceTime", since.UTC().Format(time.RFC3339)).DoRaw(ctx)
	if err != nil {
		return nil, fmt.Errorf("log of the kubelet on node %s, which it serves with enableSystemLogQuery: %w", node, err)
	}
	return log, nil
}
