// SPDX-License-Identifier: Apache-2.0

package right

import "github.com/csi-topo/csi-topo/e2e/mutation"

// serving are drivers whose services are elsewhere than those of most drivers.
func serving() []Driver {
	return []Driver{{
		Name:   "node-alone",
		Is:     "has Identity and Node alone, for volumes that somebody else provisions; its vendor names one that exists",
		Driver: mutation.NodeAlone(mutation.Driver{Profile: exactDisks}),
		Given:  []Endpoints{All, OneNode},
	}, {
		Name:   "node-alone-raw",
		Is:     "has Identity and Node alone, for raw block devices that somebody else provisions; its vendor names one that exists",
		Driver: mutation.NodeAlone(mutation.Driver{Profile: exactDisks + "mount: false\n"}),
		Given:  []Endpoints{OneNode},
	}, {
		Name:   "attaches-existing",
		Is:     "has a controller that attaches volumes, and creates none: each exists in one of the zones; its vendor names one",
		Driver: mutation.AttachingExisting(mutation.Driver{Profile: exactDisks}),
		Given:  []Endpoints{All, OneNode},
	}, {
		Name:   "controller-per-node",
		Is:     "as democratic-csi and csi-driver-lvm, has a controller on each node, which knows nothing of the volumes of another (csi-provisioner --node-deployment)",
		Driver: mutation.Driver{Profile: onNodes + "controllerPerNode: true\n", PerNode: []string{"a", "b", "c"}, Fault: mutation.Lacking(mutation.Attaching...)},
	}}
}
