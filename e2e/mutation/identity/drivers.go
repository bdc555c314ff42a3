// SPDX-License-Identifier: Apache-2.0

// Package identity has drivers that say wrongly what they are and can do, and right ones that lack something.
package identity

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers are those that are wrong, and those that are right and lack something.
func Drivers() map[string]mutation.Expectation {
	all := lacking()
	for _, of := range []func() map[string]mutation.Expectation{wrongOfIdentity, wrongOfClaims, wrongOfSockets} {
		maps.Copy(all, of())
	}
	return all
}
