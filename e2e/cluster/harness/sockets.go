// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
)

// SocketsOf returns the sockets of the pods that the selector matches, by node. If a pod has just been replaced, as the
// driver's can be at any time, it waits for the new one within Connect.
func (t *Target) SocketsOf(ctx context.Context, at *PodSocket) (map[string]dial.Socket, error) {
	var sockets map[string]dial.Socket
	var last error
	err := wait.PollUntilContextTimeout(ctx, t.Timeouts.Poll, t.Timeouts.Connect, true, func(ctx context.Context) (bool, error) {
		pods, err := t.PodsAt(ctx, at)
		if err != nil {
			last = err
			return false, nil
		}
		sockets, last = usableSockets(at, pods)
		return last == nil, nil
	})
	if err != nil {
		return nil, errors.Join(last, context.Cause(ctx))
	}
	return sockets, nil
}

// PodsAt returns the pods that the selector matches.
func (t *Target) PodsAt(ctx context.Context, at *PodSocket) ([]corev1.Pod, error) {
	var pods corev1.PodList
	if err := t.Client.Resources(at.Namespace).List(ctx, &pods, resources.WithLabelSelector(at.Selector)); err != nil {
		return nil, fmt.Errorf("finding the pods in namespace %s with labels %s: %w", at.Namespace, at.Selector, err)
	}
	return pods.Items, nil
}

// MustFindControllers waits for the pods of the driver's controllers, and returns them. There may be none while
// one is replaced.
func MustFindControllers(ctx context.Context, s *Scenario) []corev1.Pod {
	var pods []corev1.Pod
	s.Need(s.Within(ctx, s.Target.Timeouts.Restart, func(ctx context.Context) (err error) {
		pods, err = s.Target.PodsAt(ctx, s.Target.Controller)
		if err == nil && len(pods) == 0 {
			err = fmt.Errorf("namespace %s has none with labels %s", s.Target.Controller.Namespace, s.Target.Controller.Selector)
		}
		return err
	}), "finding the driver's controllers")
	return pods
}

// usableSockets returns the sockets in the pods that have not ended, by node. A pod may still be starting: opening the
// socket waits for it.
func usableSockets(at *PodSocket, pods []corev1.Pod) (map[string]dial.Socket, error) {
	sockets := map[string]dial.Socket{}
	var others []string
	for _, pod := range pods {
		ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		switch {
		case pod.DeletionTimestamp != nil:
			others = append(others, pod.Name+" is being deleted")
		case ended:
			others = append(others, fmt.Sprintf("%s has ended (%s)", pod.Name, pod.Status.Phase))
		case pod.Spec.NodeName == "":
			others = append(others, pod.Name+" has no node")
		default:
			sockets[pod.Spec.NodeName] = dial.Socket{Namespace: at.Namespace, Pod: pod.Name, Volume: at.Volume, Path: at.Path}
		}
	}
	if len(sockets) > 0 {
		return sockets, nil
	}
	if len(others) == 0 {
		others = []string{"there are none"}
	}
	return nil, fmt.Errorf("no pod of the driver runs in namespace %s with labels %s (%s): install the driver or correct the selector",
		at.Namespace, at.Selector, strings.Join(others, ", "))
}

// ControlSocketsOf returns the control sockets of the recording proxies in front of these sockets, by node.
func (t *Target) ControlSocketsOf(ctx context.Context, at *PodSocket) (map[string]dial.Socket, error) {
	control := *at
	control.Path = at.Control
	return t.SocketsOf(ctx, &control)
}

// Dialer returns a dialer for sockets in pods of the cluster.
func (t *Target) Dialer() (dial.Dialer, error) {
	config := rest.CopyConfig(t.REST)
	config.QPS = -1 // the waits set their own pace
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return dial.Dialer{}, fmt.Errorf("preparing a client: %w", err)
	}
	return dial.Dialer{REST: config, Kube: kube, Image: t.WorkloadImage}, nil
}
