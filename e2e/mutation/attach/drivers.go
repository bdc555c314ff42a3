// SPDX-License-Identifier: Apache-2.0

// Package attach has drivers that attach and detach volumes wrongly, or confirm capabilities wrongly, and right drivers
// that lack something.
package attach

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	maps.Copy(wanted, faults())
	maps.Copy(wanted, detachFaults())
	maps.Copy(wanted, confirmationFaults())
	wanted = mutation.Serially(wanted)
	maps.Copy(wanted, faultsAtOnce())
	return wanted
}
