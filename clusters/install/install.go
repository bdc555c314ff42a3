// Package install puts a driver's objects into a cluster and waits until every node
// has the driver. It knows nothing of how the cluster was made.
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
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/wait"
)

const (
	applyWithin      = time.Minute
	registeredWithin = 3 * time.Minute
	poll             = 250 * time.Millisecond
	fieldOwner       = "csi-topo"
)

// Apply creates or changes objects, in order. Objects of a namespace come after it.
func Apply(ctx context.Context, cluster klient.Client, objects []*unstructured.Unstructured) error {
	ctx, cancel := context.WithTimeout(ctx, applyWithin)
	defer cancel()
	to := cluster.Resources().GetControllerRuntimeClient()
	for _, object := range objects {
		if err := to.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(fieldOwner), client.ForceOwnership); err != nil {
			return fmt.Errorf("applying %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

// Driver is what WaitForDriver waits for.
type Driver struct {
	// Name is the CSI driver's name.
	Name string
	// Controller is its Deployment, if it has one.
	Controller client.ObjectKey
	// Node is its DaemonSet.
	Node client.ObjectKey
}

// WaitForDriver waits until the driver's controller is available and every worker node
// has an entry of the driver in its CSINode. An error says what is missing where.
func WaitForDriver(ctx context.Context, cluster klient.Client, d Driver) error {
	var last error
	err := wait.For(func(ctx context.Context) (bool, error) {
		missing := d.ready(ctx, cluster)
		if missing == nil || ctx.Err() == nil { // what the end of the wait cut off says nothing
			last = missing
		}
		return missing == nil, nil
	}, wait.WithContext(ctx), wait.WithTimeout(registeredWithin), wait.WithInterval(poll), wait.WithImmediate())
	if err != nil {
		return fmt.Errorf("waiting for driver %s: %w: %w", d.Name, err, last)
	}
	return nil
}

func (d Driver) ready(ctx context.Context, cluster klient.Client) error {
	nodes := corev1.NodeList{}
	if err := cluster.Resources().List(ctx, &nodes); err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	csiNodes := storagev1.CSINodeList{}
	if err := cluster.Resources().List(ctx, &csiNodes); err != nil {
		return fmt.Errorf("listing CSINodes: %w", err)
	}
	if err := registered(d.Name, nodes.Items, csiNodes.Items); err != nil {
		return err
	}
	if d.Controller.Name != "" {
		if err := d.controllerReady(ctx, cluster); err != nil {
			return err
		}
	}
	plugins := appsv1.DaemonSet{}
	if err := cluster.Resources().Get(ctx, d.Node.Name, d.Node.Namespace, &plugins); err != nil {
		return fmt.Errorf("getting the node plugin's DaemonSet: %w", err)
	}
	status := plugins.Status
	if status.ObservedGeneration < plugins.Generation || status.UpdatedNumberScheduled < status.DesiredNumberScheduled ||
		status.NumberReady < status.DesiredNumberScheduled {
		return fmt.Errorf("DaemonSet %s: %d of %d pods are ready", d.Node, status.NumberReady, status.DesiredNumberScheduled)
	}
	return nil
}

func (d Driver) controllerReady(ctx context.Context, cluster klient.Client) error {
	controller := appsv1.Deployment{}
	if err := cluster.Resources().Get(ctx, d.Controller.Name, d.Controller.Namespace, &controller); err != nil {
		return fmt.Errorf("getting the controller's Deployment: %w", err)
	}
	status := controller.Status
	if status.ObservedGeneration < controller.Generation || status.UpdatedReplicas == 0 || status.AvailableReplicas != status.Replicas {
		return fmt.Errorf("deployment %s is not available: %d of %d replicas are", d.Controller, status.AvailableReplicas, status.Replicas)
	}
	return nil
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
