// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/wait"
)

const (
	registeredWithin = 3 * time.Minute
	poll             = 250 * time.Millisecond
)

// WaitForDriver waits until every worker node has an entry for the driver in its CSINode, and the driver's workloads are
// ready: Ready or, if that is empty, the workloads among the objects. The error lists everything that is missing.
func (d Driver) WaitForDriver(ctx context.Context, cluster klient.Client, objects []*unstructured.Unstructured) error {
	workloads := d.Ready
	if len(workloads) == 0 {
		workloads = workloadsOf(objects)
	}
	var last error
	err := wait.For(func(ctx context.Context) (bool, error) {
		missing := d.ready(ctx, cluster, workloads)
		if missing == nil || ctx.Err() == nil { // an error caused by the end of the wait is not the reason
			last = missing
		}
		return missing == nil, nil
	}, wait.WithContext(ctx), wait.WithTimeout(registeredWithin), wait.WithInterval(poll), wait.WithImmediate())
	if err != nil {
		return fmt.Errorf("waiting for driver %s: %w: %w", d.Name, err, last)
	}
	return nil
}

// workloadsOf returns the workloads among the objects.
func workloadsOf(objects []*unstructured.Unstructured) []Workload {
	var workloads []Workload
	for _, object := range objects {
		if slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, object.GetKind()) {
			workloads = append(workloads, Workload{object.GetKind(), object.GetNamespace(), object.GetName()})
		}
	}
	return workloads
}

func (d Driver) ready(ctx context.Context, cluster klient.Client, workloads []Workload) error {
	for _, workload := range workloads {
		if err := workload.ready(ctx, cluster); err != nil {
			return err
		}
	}
	nodes := corev1.NodeList{}
	if err := cluster.Resources().List(ctx, &nodes); err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	csiNodes := storagev1.CSINodeList{}
	if err := cluster.Resources().List(ctx, &csiNodes); err != nil {
		return fmt.Errorf("listing CSINodes: %w", err)
	}
	return registered(d.Name, nodes.Items, csiNodes.Items)
}

// ready returns nil when all pods of the workload's newest revision are ready.
func (w Workload) ready(ctx context.Context, cluster klient.Client) error {
	at := cluster.Resources(w.Namespace)
	var observed, wanted, updated, ready int64
	var err error
	switch w.Kind {
	case "Deployment":
		found := appsv1.Deployment{}
		err = at.Get(ctx, w.Name, w.Namespace, &found)
		observed = found.Status.ObservedGeneration - found.Generation
		wanted, updated, ready = int64(replicas(found.Spec.Replicas)), int64(found.Status.UpdatedReplicas), int64(found.Status.AvailableReplicas)
		if found.Status.Replicas > found.Status.UpdatedReplicas { // old pods still run
			ready = 0
		}
	case "StatefulSet":
		found := appsv1.StatefulSet{}
		err = at.Get(ctx, w.Name, w.Namespace, &found)
		observed = found.Status.ObservedGeneration - found.Generation
		wanted, updated, ready = int64(replicas(found.Spec.Replicas)), int64(found.Status.UpdatedReplicas), int64(found.Status.ReadyReplicas)
	case "DaemonSet":
		found := appsv1.DaemonSet{}
		err = at.Get(ctx, w.Name, w.Namespace, &found)
		observed = found.Status.ObservedGeneration - found.Generation
		wanted, updated, ready = int64(found.Status.DesiredNumberScheduled), int64(found.Status.UpdatedNumberScheduled), int64(found.Status.NumberReady)
	default:
		return fmt.Errorf("%s is not a kind of workload that can be waited for", w)
	}
	if err != nil {
		return fmt.Errorf("getting %s: %w", w, err)
	}
	if observed < 0 || updated < wanted || ready < wanted {
		return fmt.Errorf("%s: %d of %d pods are ready%s", w, ready, wanted, waiting(ctx, cluster, w.Namespace))
	}
	return nil
}

func replicas(given *int32) int32 {
	if given == nil {
		return 1
	}
	return *given
}

// waiting returns the reason why a container in the namespace does not run, or "".
func waiting(ctx context.Context, cluster klient.Client, namespace string) string {
	pods := corev1.PodList{}
	if err := cluster.Resources(namespace).List(ctx, &pods); err != nil {
		return ""
	}
	for _, pod := range pods.Items {
		for _, container := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
			if state := container.State.Waiting; state != nil && state.Message != "" {
				return fmt.Sprintf("; container %s of pod %s waits: %s: %s", container.Name, pod.Name, state.Reason, state.Message)
			}
		}
	}
	return ""
}

const controlPlaneLabel = "node-role.kubernetes.io/control-plane"

// registered returns nil when every worker node's CSINode names the driver.
func registered(driver string, nodes []corev1.Node, csiNodes []storagev1.CSINode) error {
	has := map[string]bool{}
	for _, node := range csiNodes {
		has[node.Name] = slices.ContainsFunc(node.Spec.Drivers, func(d storagev1.CSINodeDriver) bool { return d.Name == driver })
	}
	var missing []string
	for _, node := range nodes {
		if _, controlPlane := node.Labels[controlPlaneLabel]; !controlPlane && !has[node.Name] {
			missing = append(missing, node.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("CSINode has no driver %s on %s", driver, strings.Join(missing, ", "))
	}
	return nil
}
