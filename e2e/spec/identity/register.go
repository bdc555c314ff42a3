// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "identity", Cases: slices.Concat(pluginInfo(), readiness(), pluginCapabilities(), sockets())},
		{Name: "claims", Cases: slices.Concat(implementedClaims(), consistentClaims(), serviceCapabilities())},
	}
}
