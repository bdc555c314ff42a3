// SPDX-License-Identifier: Apache-2.0

package general

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "required fields", Cases: slices.Concat(requiredFields(), requiredFieldsOfNodes())},
		{Name: "size limits", Cases: sizeLimits()},
		{Name: "calls at once", Cases: callsAtOnce()},
		{Name: "calls cut short", Cases: callsCutShort()},
	}
}
