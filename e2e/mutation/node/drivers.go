// SPDX-License-Identifier: Apache-2.0

// Package node has drivers that stage and publish volumes wrongly, or describe a node wrongly, and right drivers that
// lack something.
package node

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	maps.Copy(wanted, faults())
	maps.Copy(wanted, forgettingFaults())
	maps.Copy(wanted, neighbourFaults())
	return mutation.Serially(wanted)
}
