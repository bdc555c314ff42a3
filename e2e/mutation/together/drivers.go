// SPDX-License-Identifier: Apache-2.0

// Package together has drivers that are wrong when calls come at once: they mix up what the calls are for, or lose what one of them has
// done. Called one after another, they are right.
package together

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the wrong drivers.
func Drivers() map[string]mutation.Expectation {
	all := mixingUp()
	for _, of := range []func() map[string]mutation.Expectation{racing, losing} {
		maps.Copy(all, of())
	}
	return all
}
