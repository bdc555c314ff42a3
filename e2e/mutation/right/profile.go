// SPDX-License-Identifier: Apache-2.0

package right

// Profiles of these drivers. The segments are the ones that nodes report.
const (
	// disks has a StorageClass for one zone and one for two, and does not mention
	// capacity.
	disks = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {zones: "2"}
mutableParameters: {allocation: thick}
block: true
`
	// exactDisks says that each volume takes exactly its size.
	exactDisks = disks + "capacity: exact\n"
	// sharedDisks says that others use the storage as well.
	sharedDisks = disks + "capacity: at-least\n"
)
