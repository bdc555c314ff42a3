// SPDX-License-Identifier: Apache-2.0

// Package limits has the cluster tier's cases on how many volumes a node takes. The number is the driver's, and what is
// made of it is the kubelet's doing and the scheduler's, so they grade the platform.
package limits

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area is the group of this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "limits", Cases: []harness.Case{
		limitRegistered(),
		limitOfNode(),
		limitAtAttach(),
	}}
}
