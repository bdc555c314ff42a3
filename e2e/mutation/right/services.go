// SPDX-License-Identifier: Apache-2.0

package right

import "github.com/csi-topo/csi-topo/e2e/mutation"

// serving returns drivers whose services are at other endpoints than usual.
func serving() []Driver {
	return []Driver{
		{Name: "node-alone",
			Is:     "has only Identity and Node, for volumes that are provisioned elsewhere; its vendor names one that exists",
			Driver: mutation.NodeAlone(mutation.Driver{Profile: exactDisks}), Given: []Endpoints{All, OneNode}},
		{Name: "node-alone-raw",
			Is:     "has only Identity and Node, for raw block devices that are provisioned elsewhere; its vendor names one that exists",
			Driver: mutation.NodeAlone(mutation.Driver{Profile: exactDisks + "mount: false\n"}), Given: []Endpoints{OneNode}},
		{Name: "attaches-existing",
			Is:     "has a controller that attaches volumes and creates none: each exists in one of the zones, and the vendor names one",
			Driver: mutation.AttachingExisting(mutation.Driver{Profile: exactDisks}), Given: []Endpoints{All, OneNode}},
		{
			Name:   "controller-per-node",
			Is:     "has a controller on each node, which knows nothing about the volumes of another, like democratic-csi and csi-driver-lvm (csi-provisioner --node-deployment)",
			Driver: mutation.Driver{Profile: onNodes + "controllerPerNode: true\n", PerNode: []string{"a", "b", "c"}, Fault: mutation.Lacking(mutation.Attaching...)},
		},
	}
}
