// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// manyNodes is the access mode for Kubernetes' ReadWriteMany.
const manyNodes = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER

// Cluster describes a driver to the cluster tier: its installation, its sockets, and the parts of the cluster that a run may
// disturb. The volumes, their parameters and their size are the profile's.
type Cluster struct {
	// Install says how to install the driver in a cluster that the run creates. Without it, the driver must be installed
	// already, as in a cluster that others use, where the run installs nothing.
	//
	//	install: {kustomization: deploy}
	Install Install `yaml:"install"`
	// Images are loaded into every node of a cluster that the run creates. Images that the nodes can pull need not be
	// listed.
	//
	//	images:
	//	- {name: registry.example.com/driver, program: ../cmd/driver}
	Images []Image `yaml:"images"`
	// Ready are the workloads that must be ready before the first case; without any, the workloads of the manifests. In
	// any case the run waits until the CSINode of every worker node names the driver.
	//
	//	ready:
	//	- {kind: StatefulSet, namespace: example, name: controller}
	Ready []Workload `yaml:"ready"`
	// Topology has the driver's topology keys. `kubectl get csinode -o yaml` shows the keys of an installed driver.
	//
	//	topology: {zone: topology.example.com/zone, region: topology.example.com/region}
	Topology Topology `yaml:"topology" jsonschema:"required"`
	// FileSystemBytes is the size of the volumes that pods mount, in bytes; volumeBytes when 0. It is for a driver with
	// file systems that need more than its smallest volume.
	//
	//	fileSystemBytes: 335544320
	FileSystemBytes int64 `yaml:"fileSystemBytes" jsonschema:"minimum=0"`
	// ReadWriteMany is the kind of volume that pods on several nodes mount and write at once. Without it, it is the
	// kind in volumes with the accessMode MULTI_NODE_MULTI_WRITER, if there is one.
	//
	//	readWriteMany: {accessibleFrom: everywhere, parameters: {protocol: nfs}}
	ReadWriteMany *Kind `yaml:"readWriteMany"`
	// Controller says where the socket of the driver's controller is. Without it the driver itself is not called, and cases
	// that fill zones, or compare the cluster with the driver's lists and capacity, are skipped.
	//
	//	controller: {namespace: example, selector: app=controller, volume: socket-dir, path: csi.sock}
	Controller *Socket `yaml:"controller"`
	// Node says where the socket of the node plugin is, on each node. Without it, cases that restart the node plugin
	// are skipped.
	//
	//	node: {namespace: example, selector: app=node, volume: plugin-dir, path: csi.sock}
	Node *Socket `yaml:"node"`
	// Pools are StorageClass parameters, each with separate storage: volumes with one of them take no room from the others.
	// A case that counts room, or takes it away, gets one of them, so that as many such cases as there are pools run side by
	// side; without any, they run alone. Pools require capacity: exact.
	//
	//	pools: [{pool: a}, {pool: b}]
	Pools []map[string]string `yaml:"pools"`
	// Disturb lists the parts that the run may disturb: nodes, driver, capacity. By default that is everything on a cluster
	// that the run created, and nothing on a cluster that others use; an empty list means nothing on both. With nodes, cases
	// may cordon, taint, label, stop and delete nodes; with driver, they may delete and restart the driver's pods; with
	// capacity, they may fill a zone until the driver has no room there for another volume.
	//
	//	disturb: [driver]
	Disturb *[]Disturbance `yaml:"disturb"`
}

// Install is one way to install a driver. Paths are relative to the directory of the profile.
type Install struct {
	// Kustomization is a directory with a kustomization.
	Kustomization string `yaml:"kustomization"`
	// WithoutRegistry is the kustomization to use instead if no registry serves images to the nodes.
	WithoutRegistry string `yaml:"withoutRegistry"`
	// Manifests is a file of YAML documents, or a directory of such files, in the order of their names.
	Manifests string `yaml:"manifests"`
	// Command is a program with its arguments, which runs in the directory of the profile and ends with status 0 once
	// it has installed the driver. The variable KUBECONFIG names the cluster.
	Command []string `yaml:"command"`
}

// Image is one image, or an archive of images. Paths are relative to the directory of the profile.
type Image struct {
	// Archive is a file in the format of `docker save`.
	Archive string `yaml:"archive" jsonschema:"oneof_required=archive"`
	// Program is the directory of a Go program, from which an image is built: with that program as its entry point, and
	// the tools that drivers run: mount, losetup, fallocate, cp, tar and the like, and tools to make, check and grow
	// ext4 and XFS. There is no shell.
	Program string `yaml:"program" jsonschema:"oneof_required=program"`
	// LDFlags are flags for the linker of that program, such as "-X main.version=v1.0.0" to set its version.
	LDFlags string `yaml:"ldflags"`
	// Name is the name of the program's image in the manifests, without a tag.
	Name string `yaml:"name"`
}

// Workload is a Deployment, a StatefulSet or a DaemonSet.
type Workload struct {
	// Kind is the kind of the workload.
	Kind string `yaml:"kind" jsonschema:"required,enum=Deployment,enum=StatefulSet,enum=DaemonSet"`
	// Namespace is the namespace of the workload.
	Namespace string `yaml:"namespace" jsonschema:"required"`
	// Name is the name of the workload.
	Name string `yaml:"name" jsonschema:"required"`
}

// Topology are the keys of a driver's segments, which are node labels as well.
type Topology struct {
	// Region is the key for regions; empty for a driver without one.
	Region string `yaml:"region"`
	// Zone is the key for zones, or for another place that limits the use of a volume, such as the node.
	Zone string `yaml:"zone" jsonschema:"required"`
}

// Socket says where a CSI socket is: in a volume of the driver's pods. The suite reaches it through an ephemeral
// container, which it adds to the pod, and which stays until the pod is deleted.
type Socket struct {
	// Namespace is the namespace of the pods.
	Namespace string `yaml:"namespace" jsonschema:"required"`
	// Selector is the label selector that finds the pods, such as app=driver,component=node.
	Selector string `yaml:"selector" jsonschema:"required"`
	// Volume is the name of the pods' volume that contains the socket.
	Volume string `yaml:"volume" jsonschema:"required"`
	// Path is the path of the socket inside that volume.
	Path string `yaml:"path" jsonschema:"required"`
	// Control is the path inside that volume of the control socket of a recording proxy before the driver, which `csi-topo
	// proxy --control` opens. Without it, cases that check Kubernetes' calls to the driver are skipped.
	Control string `yaml:"control"`
}

// Disturbance is a part of the cluster that cases take from its other users, and give back.
type Disturbance string

const (
	// Nodes says that cases may cordon, taint, label, stop and delete nodes.
	Nodes Disturbance = "nodes"
	// DriverPods says that cases may delete and restart the pods of the driver and of its sidecars.
	DriverPods Disturbance = "driver"
	// AllCapacity says that cases may fill a zone until the driver has no room there for another volume.
	AllCapacity Disturbance = "capacity"
)

// Disturbances returns all disturbances.
func Disturbances() []Disturbance { return []Disturbance{Nodes, DriverPods, AllCapacity} }

// May returns the disturbances that are allowed on a cluster that the run created itself, or on one that others use.
func (c Cluster) May(own bool) []Disturbance {
	switch {
	case c.Disturb != nil:
		return *c.Disturb
	case own:
		return Disturbances()
	default:
		return nil
	}
}

// Installs reports whether the profile says how to install the driver.
func (i Install) Installs() bool {
	return i.Kustomization != "" || i.Manifests != "" || len(i.Command) > 0
}

// FileSystem returns the size of volumes with a file system, in bytes.
func (p Profile) FileSystem() int64 {
	if p.Cluster == nil || p.Cluster.FileSystemBytes == 0 {
		return p.VolumeBytes
	}
	return p.Cluster.FileSystemBytes
}

// ReadWriteMany returns the kind of volume that pods on several nodes mount and write at once; ok is false if there is
// none.
func (p Profile) ReadWriteMany() (kind Kind, ok bool) {
	if p.Cluster != nil && p.Cluster.ReadWriteMany != nil {
		return *p.Cluster.ReadWriteMany, true
	}
	at := slices.IndexFunc(p.Volumes, func(kind Kind) bool { return kind.Mode() == manyNodes })
	if at < 0 {
		return Kind{}, false
	}
	return p.Volumes[at], true
}
