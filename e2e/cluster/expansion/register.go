// SPDX-License-Identifier: Apache-2.0

// Package expansion has the cluster tier's cases about growing volumes.
package expansion

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "expansion", Cases: slices.Concat([]harness.Case{
		growMounted(),
		growUnmounted(),
		growAfterRestart(),
		growForbidden(),
		growStatuses(),
		growExhausted(),
		growLowered(),
		growNodeInfeasible(),
		growTakesRoom(),
		growFullZone(),
		growTwoZones(),
		growLessRefused(),
		growthStates(),
	}, growInfeasible())}
}
