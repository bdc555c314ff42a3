// SPDX-License-Identifier: Apache-2.0

// Package modification has the cluster tier's cases about changing the attributes of volumes with a VolumeAttributesClass.
package modification

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "modification", Cases: []harness.Case{
		modifyByClass(),
	}}
}
