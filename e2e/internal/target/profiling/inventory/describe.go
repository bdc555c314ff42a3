// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/draft"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// reserved is the prefix of a StorageClass's parameters that are for the sidecars, and not for the driver.
const reserved = "csi.storage.k8s.io/"

// Describe adds the information in the objects to the draft. Unknown values become comments that say how to find them.
func (o *Objects) Describe(d *draft.Draft) {
	o.describeClasses(d)
	o.describeDriver(d)
	topology := profile.TopologyOf(o.TopologyKeys, o.values)
	if topology.Zone == "" {
		d.Note("cluster", "No CSINode has topology keys of %s, which the cluster tier requires: `kubectl get csinode -o yaml` shows them once the driver's node plugins are registered, with topology.", o.Driver)
		return
	}
	d.Profile.Cluster = &profile.Cluster{Topology: topology}
	d.Note("cluster.topology", "%d CSINodes have the keys %s.", o.Registered, strings.Join(o.TopologyKeys, ", "))
	d.Note("cluster.install", "Not asked: for a cluster that the run creates, say how the driver is installed there. On this one it is.")
	o.describeSockets(d)
}

func (o *Objects) describeDriver(d *draft.Draft) {
	if o.CSIDriver == nil {
		d.Note("cluster", "The cluster has no CSIDriver %s: is the driver installed?", o.Driver)
		return
	}
	spec := o.CSIDriver.Spec
	if spec.StorageCapacity == nil || !*spec.StorageCapacity {
		d.Note("capacity", "The CSIDriver of the cluster does not set storageCapacity: the scheduler does not look at it there.")
	}
}

func (o *Objects) describeClasses(d *draft.Draft) {
	if len(o.Classes) == 0 {
		d.Note("volumes", "The cluster has no StorageClass of %s.", o.Driver)
		return
	}
	for i, class := range o.Classes {
		own := parameters(class)
		d.Note("volumes", "StorageClass %s has %s.", class.Name, listed(own))
		switch {
		case i == 0 && len(own) > 0:
			d.Profile.Volumes = []profile.Kind{{Parameters: own}}
		case i > 0 && !maps.Equal(own, parameters(o.Classes[0])) && len(own) > 0:
			d.Suggest("otherParameters", own)
		}
		if i == 0 {
			if d.Profile.FsType = class.Parameters[reserved+"fstype"]; d.Profile.FsType != "" {
				d.Note("fsType", "From StorageClass %s.", class.Name)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(class.Parameters)) {
			if call, found := strings.CutSuffix(strings.TrimPrefix(key, reserved), "-secret-name"); found {
				d.Note("secrets", "StorageClass %s has for %s: `kubectl get secret --namespace %s %s -o yaml`.",
					class.Name, call, class.Parameters[reserved+call+"-secret-namespace"], class.Parameters[key])
			}
		}
	}
}

// parameters returns the parameters that the driver sees.
func parameters(class storagev1.StorageClass) map[string]string {
	own := maps.Clone(class.Parameters)
	maps.DeleteFunc(own, func(key, _ string) bool { return strings.HasPrefix(key, reserved) })
	return own
}

func listed(values map[string]string) string {
	if len(values) == 0 {
		return "no parameters"
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		all = append(all, fmt.Sprintf("%s: %q", key, values[key]))
	}
	return "the parameters {" + strings.Join(all, ", ") + "}"
}

// values returns the number of values that the nodes have for a key.
func (o *Objects) values(key string) int {
	seen := map[string]bool{}
	for _, node := range o.Nodes {
		if value, found := node.Labels[key]; found {
			seen[value] = true
		}
	}
	return len(seen)
}

func (o *Objects) describeSockets(d *draft.Draft) {
	cluster := d.Profile.Cluster
	controllers, nodes := o.controllers(), o.nodes()
	switch len(controllers) {
	case 1:
		told, _ := provisionerOf(controllers[0].Pod)
		if socket, ok := controllers[0].socket(&told); ok {
			cluster.Controller = &socket
		}
	case 0:
		d.Note("cluster.controller", "No workload has a csi-provisioner: look for the pods with `kubectl get pods --all-namespaces`.")
	default:
		d.Note("cluster.controller", "One of these, each of which has a csi-provisioner: %s.", names(controllers))
	}
	switch len(nodes) {
	case 1:
		if socket, ok := nodes[0].socket(nil); ok {
			cluster.Node = &socket
		}
	case 0:
		d.Note("cluster.node", "No workload has a directory /var/lib/kubelet/plugins/%s: look for the DaemonSet with `kubectl get daemonsets --all-namespaces`.", o.Driver)
	default:
		d.Note("cluster.node", "One of these: %s.", names(nodes))
	}
	if len(controllers) == 1 && len(nodes) == 1 && controllers[0].Namespace == nodes[0].Namespace && controllers[0].Name == nodes[0].Name {
		d.Profile.ControllerPerNode = true
		d.Note("controllerPerNode", "Each pod of the node plugin has a csi-provisioner.")
	}
	if cluster.Controller != nil && cluster.Controller.Control == "" {
		d.Note("cluster.controller", "There is no recording proxy: calls from Kubernetes to the driver are not recorded. fixtures/driver/components/recording-proxy adds one.")
	}
}

func names(workloads []Workload) string {
	var all []string
	for _, w := range workloads {
		all = append(all, w.Namespace+"/"+w.Name)
	}
	return strings.Join(all, ", ")
}
