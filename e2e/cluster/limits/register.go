// SPDX-License-Identifier: Apache-2.0

// Package limits has the cluster tier's cases about the limit of volumes on a node. The driver reports it, and the kubelet
// and the scheduler apply it, so the cases grade the platform.
package limits

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "limits", Cases: []harness.Case{
		limitRegistered(),
		limitOfNode(),
		limitAtAttach(),
	}}
}
