// SPDX-License-Identifier: Apache-2.0

// Package identity has drivers that describe themselves or their capabilities wrongly, and right drivers that
// lack something.
package identity

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the wrong drivers, and right drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	all := lacking()
	for _, of := range []func() map[string]mutation.Expectation{wrongOfIdentity, wrongOfClaims, wrongOfSockets} {
		maps.Copy(all, of())
	}
	return all
}
