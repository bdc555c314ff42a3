// SPDX-License-Identifier: Apache-2.0

// Package general has drivers that break rules for all RPCs: required fields, size limits, concurrent calls and calls
// cut short, and right drivers that lack something.
package general

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type right = mutation.Right

// Drivers returns the wrong drivers, and right drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	all := lacking()
	for _, of := range []func() map[string]mutation.Expectation{wrongOfRequiredFields, wrongOfLimits, wrongOfCallsAtOnce, wrongOfCallsCutShort} {
		maps.Copy(all, of())
	}
	return all
}
