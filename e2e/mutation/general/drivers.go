// SPDX-License-Identifier: Apache-2.0

// Package general has drivers that break what is the same for all RPCs: required fields, size limits, calls at once and calls cut short, and right ones that lack something.
package general

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type right = mutation.Right

// Drivers are those that are wrong, and those that are right and lack something.
func Drivers() map[string]mutation.Expectation {
	all := lacking()
	for _, of := range []func() map[string]mutation.Expectation{wrongOfRequiredFields, wrongOfLimits, wrongOfCallsAtOnce, wrongOfCallsCutShort} {
		maps.Copy(all, of())
	}
	return all
}
