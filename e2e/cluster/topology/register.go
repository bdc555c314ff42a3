// SPDX-License-Identifier: Apache-2.0

// Package topology has the cluster tier's cases about the locations of nodes and volumes that the driver and the cluster
// report.
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
