// SPDX-License-Identifier: Apache-2.0

// Package config reads an administrator's configuration of the driver from a file: the capacity of its pools, and the
// secrets that calls must carry. It notices when the file changes, and does not know its users.
package config

import "github.com/csi-topo/csi-topo/driver/pool"

// The apiVersion and kind of the file.
const (
	APIVersion = "hostpath.topo.csi/v1alpha1"
	Kind       = "DriverConfiguration"
)

// defaultBytes is the default capacity of a segment: 10Gi.
const defaultBytes = 10 << 30

// File is the content of the file, in YAML. An unknown field is an error.
//
//	apiVersion: hostpath.topo.csi/v1alpha1
//	kind: DriverConfiguration
//	pools:
//	- class: fast
//	  segment: {topology.hostpath.topo.csi/zone: Z2}
//	  capacity: 5Gi
//	- capacity: 10Gi
//	secrets:
//	  CreateVolume: {user: admin, password: "1234"}
type File struct {
	// APIVersion is "hostpath.topo.csi/v1alpha1", and required.
	APIVersion string `json:"apiVersion"`
	// Kind is "DriverConfiguration", and required.
	Kind string `json:"kind"`
	// Pools are tried in order; the first of the class that matches a segment determines its capacity, and a segment that
	// none matches has none. At least one is required.
	Pools []Pool `json:"pools"`
	// Secrets are the secrets that calls must carry; none if it is empty.
	Secrets Secrets `json:"secrets"`
}

// Pool is the storage of one class in each matching segment.
type Pool struct {
	// Class is the value of the StorageClass parameter "class"; without it, the pool
	// serves StorageClasses without the parameter.
	Class string `json:"class"`
	// Segment may name only some topology keys: {topology.hostpath.topo.csi/zone: Z2} matches that zone in every region. If
	// it is missing, the pool is in every segment.
	Segment map[string]string `json:"segment"`
	// Capacity is the capacity of each matching segment: a Kubernetes quantity of bytes
	// such as 10Gi, or 0; required.
	Capacity string `json:"capacity"`
}

// Configuration is the content of a file, in the driver's own terms.
type Configuration struct {
	// Capacity is the capacity of segments in each class of storage.
	Capacity pool.Capacity
	// Secrets are the secrets that calls must carry; an RPC without an entry needs
	// none.
	Secrets Secrets
}

// Default returns the configuration of a driver without a file: 10Gi in every segment, in one class without a name, and
// no secrets.
func Default() Configuration {
	return Configuration{Capacity: pool.Uniform(defaultBytes)}
}
