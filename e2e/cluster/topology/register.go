// SPDX-License-Identifier: Apache-2.0

// Package topology has the cluster tier's cases on where the driver and the cluster say that nodes and volumes are.
package topology

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "topology", Cases: []harness.Case{
		csinodeTopology(),
		csinodeCollision(),
		csinodeWithoutTopology(),
		twoZonesBoth(),
		twoZonesFailover(),
		twoZonesMoreThanRequisite(),
		twoZonesOneFull(),
	}}
}
