// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// driver returns the nodes of each zone, or an error if no node has the driver, or if no node has its topology keys. A
// CSIDriver object is optional in Kubernetes, so it is not needed if nodes have the driver.
func driver(ctx context.Context, kube kubernetes.Interface, t *harness.Target) (map[string][]string, error) {
	csiNodes, err := kube.StorageV1().CSINodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("listing CSINodes: %w", err)
	}
	nodes, err := kube.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("listing nodes: %w", err)
	}
	registered := registrations(t.Driver, csiNodes.Items)
	if len(registered) > 0 {
		return zonesOf(t, registered, nodes.Items)
	}
	_, err = kube.StorageV1().CSIDrivers().Get(ctx, t.Driver, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("driver %s is not installed, as there is no CSIDriver of this name and no CSINode that names it: install it, or correct driver in the profile", t.Driver)
	case err != nil:
		return nil, fmt.Errorf("reading the CSIDriver %s: %w", t.Driver, err)
	default:
		return nil, fmt.Errorf("driver %s runs on no node, as there is a CSIDriver of this name and no CSINode that names it: look at the driver's pods on the nodes, and at the registrar beside them", t.Driver)
	}
}

// registrations returns the driver's entries, by node.
func registrations(driver string, csiNodes []storagev1.CSINode) map[string]storagev1.CSINodeDriver {
	found := map[string]storagev1.CSINodeDriver{}
	for _, node := range csiNodes {
		for _, entry := range node.Spec.Drivers {
			if entry.Name == driver {
				found[node.Name] = entry
			}
		}
	}
	return found
}

// zonesOf returns the nodes with the driver that accept pods, by their value of the zone key. Nodes without the key are
// left to the cases, which judge the driver for them.
func zonesOf(t *harness.Target, registered map[string]storagev1.CSINodeDriver, nodes []corev1.Node) (map[string][]string, error) {
	keys := map[string]bool{}
	for _, entry := range registered {
		for _, key := range entry.TopologyKeys {
			keys[key] = true
		}
	}
	for field, key := range map[string]string{"zone": t.ZoneKey, "region": t.RegionKey} {
		if key != "" && !keys[key] {
			return nil, fmt.Errorf("driver %s has no topology key %s on any node, which is cluster.topology.%s of the profile: the keys in its CSINodes are %q",
				t.Driver, key, field, slices.Sorted(maps.Keys(keys)))
		}
	}
	zones := map[string][]string{}
	for _, node := range nodes {
		entry, has := registered[node.Name]
		if zone := node.Labels[t.ZoneKey]; has && zone != "" && !node.Spec.Unschedulable && slices.Contains(entry.TopologyKeys, t.ZoneKey) {
			zones[zone] = append(zones[zone], node.Name)
		}
	}
	return zones, nil
}

// enough returns an error unless there are at least two zones.
func enough(t *harness.Target, zones map[string][]string) error {
	const least = 2
	if len(zones) >= least {
		return nil
	}
	found := "none"
	if len(zones) > 0 {
		found = strings.Join(slices.Sorted(maps.Keys(zones)), ", ")
	}
	return fmt.Errorf("the cases compare zones, and want nodes with driver %s in two of them at least: found %d by the key %s, %s", t.Driver, len(zones), t.ZoneKey, found)
}

// socket returns an error unless a pod runs at the profile's location of the socket, with the volume that contains the
// socket.
func socket(ctx context.Context, kube kubernetes.Interface, name string, at *harness.PodSocket) error {
	if at == nil {
		return nil
	}
	pods, err := kube.CoreV1().Pods(at.Namespace).List(ctx, metav1.ListOptions{LabelSelector: at.Selector})
	if err != nil {
		return fmt.Errorf("listing the driver's pods in namespace %s: %w", at.Namespace, err)
	}
	running := slices.DeleteFunc(pods.Items, func(pod corev1.Pod) bool { return pod.Status.Phase != corev1.PodRunning })
	if len(running) == 0 {
		return fmt.Errorf("no pod runs in namespace %s with the labels %s, where cluster.%s of the profile has a socket: install the driver, or correct the profile", at.Namespace, at.Selector, name)
	}
	if !slices.ContainsFunc(running[0].Spec.Volumes, func(volume corev1.Volume) bool { return volume.Name == at.Volume }) {
		var volumes []string
		for _, volume := range running[0].Spec.Volumes {
			volumes = append(volumes, volume.Name)
		}
		return fmt.Errorf("pod %s/%s has no volume %s, where cluster.%s of the profile has a socket: it has %s", at.Namespace, running[0].Name, at.Volume, name, strings.Join(volumes, ", "))
	}
	return nil
}
