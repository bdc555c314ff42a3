// SPDX-License-Identifier: Apache-2.0

// Package capacity has drivers that report capacity wrongly, and right drivers that lack
// something.
package capacity

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	maps.Copy(wanted, faults())
	maps.Copy(wanted, tellingNone())
	maps.Copy(wanted, alternating())
	maps.Copy(wanted, paced())
	wanted = mutation.Serially(wanted)
	maps.Copy(wanted, pacedOfVolumes())
	return wanted
}
