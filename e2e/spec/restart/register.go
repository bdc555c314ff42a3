// SPDX-License-Identifier: Apache-2.0

// Package restart contains the spec tier's cases about a driver whose processes are killed and started again: its earlier
// answers must still hold. Pods of drivers are killed all the time, by evictions, upgrades and lack of memory.
package restart

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	cases := slices.Concat(volumes(), deletions(), snapshotsCases(), onNodes(), underWay(), ready())
	for i := range cases {
		cases[i].Deadly = true
	}
	return []harness.Area{{Name: "restart", Cases: cases}}
}

// needs returns the needs of a case that makes the given number of volumes and restarts the driver.
func needs(volumes int, capabilities ...csi.ControllerServiceCapability_RPC_Type) []harness.Need {
	return harness.Needs(harness.Volumes(volumes), harness.Claims(capabilities...), harness.Restart())
}
