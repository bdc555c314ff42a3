// SPDX-License-Identifier: Apache-2.0

// Package listing has drivers that list volumes wrongly, or report their health wrongly, and right drivers that lack
// something.
package listing

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	maps.Copy(wanted, faults())
	maps.Copy(wanted, endless())
	maps.Copy(wanted, attachedOnly())
	maps.Copy(wanted, ofTokens())
	return wanted
}
