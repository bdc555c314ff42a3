// SPDX-License-Identifier: Apache-2.0

package right

// Profiles of these drivers. The segments are those that nodes report.
const (
	// mounts has a StorageClass for one zone and one for two, and does not mention capacity.
	mounts = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {zones: "2"}
mutableParameters: {allocation: thick}
`
	// disks has raw block volumes as well, and noBlock has none, but exact capacity.
	disks   = mounts + "block: true\n"
	noBlock = mounts + "capacity: exact\n"
	// exactDisks says that each volume takes exactly its size.
	exactDisks = disks + "capacity: exact\n"
	// sharedDisks says that others use the storage as well.
	sharedDisks = disks + "capacity: at-least\n"
	// shares has mounted volumes for all nodes.
	shares = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
`
)
