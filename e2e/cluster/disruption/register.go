// SPDX-License-Identifier: Apache-2.0

// Package disruption has the cluster tier's cases about nodes and zones that fail while volumes are in use.
package disruption

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "disruption", Cases: []harness.Case{
		zoneCordoned(),
		nodeOutOfService(false),
		nodeOutOfService(true),
		nodeForceDetach(),
		zoneFails(),
	}}
}
