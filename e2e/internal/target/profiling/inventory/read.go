// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Objects are the objects of a cluster with information about one driver.
type Objects struct {
	// Driver is the driver's CSI name, and CSIDriver its object, or nil.
	Driver    string
	CSIDriver *storagev1.CSIDriver
	// Nodes are the cluster's nodes, and TopologyKeys the driver's keys in its CSINodes.
	Nodes        []corev1.Node
	TopologyKeys []string
	// Registered is the number of CSINodes that name the driver.
	Registered int
	// Classes are the StorageClasses with the driver as provisioner, the default one first.
	Classes []storagev1.StorageClass
	// Workloads are all Deployments, StatefulSets and DaemonSets.
	Workloads []Workload
}

// Workload is an object that creates pods.
type Workload struct {
	Namespace, Name string
	Selector        *metav1.LabelSelector
	Pod             corev1.PodSpec
}

// Read reads the objects.
func Read(ctx context.Context, kube kubernetes.Interface, driver string) (*Objects, error) {
	found := &Objects{Driver: driver}
	for _, read := range []struct {
		what string
		from func(context.Context, kubernetes.Interface) error
	}{
		{"CSIDriver " + driver, found.readDriver},
		{"CSINodes", found.readCSINodes},
		{"Nodes", found.readNodes},
		{"StorageClasses", found.readClasses},
		{"Deployments", found.readDeployments},
		{"StatefulSets", found.readStatefulSets},
		{"DaemonSets", found.readDaemonSets},
	} {
		if err := read.from(ctx, kube); err != nil {
			return nil, fmt.Errorf("reading %s: %w; want a kubeconfig whose user may read it", read.what, err)
		}
	}
	return found, nil
}

func (o *Objects) readDriver(ctx context.Context, kube kubernetes.Interface) error {
	object, err := kube.StorageV1().CSIDrivers().Get(ctx, o.Driver, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	o.CSIDriver = object
	return err
}

func (o *Objects) readCSINodes(ctx context.Context, kube kubernetes.Interface) error {
	list, err := kube.StorageV1().CSINodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, node := range list.Items {
		for _, driver := range node.Spec.Drivers {
			if driver.Name == o.Driver {
				o.Registered++
				o.TopologyKeys = append(o.TopologyKeys, driver.TopologyKeys...)
			}
		}
	}
	slices.Sort(o.TopologyKeys)
	o.TopologyKeys = slices.Compact(o.TopologyKeys)
	return nil
}

func (o *Objects) readNodes(ctx context.Context, kube kubernetes.Interface) error {
	list, err := kube.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err == nil {
		o.Nodes = list.Items
	}
	return err
}

func (o *Objects) readClasses(ctx context.Context, kube kubernetes.Interface) error {
	list, err := kube.StorageV1().StorageClasses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, class := range list.Items {
		if class.Provisioner == o.Driver {
			o.Classes = append(o.Classes, class)
		}
	}
	const isDefault = "storageclass.kubernetes.io/is-default-class"
	slices.SortFunc(o.Classes, func(a, b storagev1.StorageClass) int {
		return cmp.Or(strings.Compare(b.Annotations[isDefault], a.Annotations[isDefault]), strings.Compare(a.Name, b.Name))
	})
	return nil
}

func (o *Objects) readDeployments(ctx context.Context, kube kubernetes.Interface) error {
	list, err := kube.AppsV1().Deployments("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, found := range list.Items {
		o.Workloads = append(o.Workloads, Workload{found.Namespace, found.Name, found.Spec.Selector, found.Spec.Template.Spec})
	}
	return nil
}

func (o *Objects) readStatefulSets(ctx context.Context, kube kubernetes.Interface) error {
	list, err := kube.AppsV1().StatefulSets("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, found := range list.Items {
		o.Workloads = append(o.Workloads, Workload{found.Namespace, found.Name, found.Spec.Selector, found.Spec.Template.Spec})
	}
	return nil
}

func (o *Objects) readDaemonSets(ctx context.Context, kube kubernetes.Interface) error {
	list, err := kube.AppsV1().DaemonSets("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, found := range list.Items {
		o.Workloads = append(o.Workloads, Workload{found.Namespace, found.Name, found.Spec.Selector, found.Spec.Template.Spec})
	}
	return nil
}
