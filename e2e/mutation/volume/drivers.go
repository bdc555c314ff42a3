// SPDX-License-Identifier: Apache-2.0

// Package volume has drivers that create, modify and delete volumes wrongly, and right drivers that lack
// something.
package volume

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the wrong drivers, and right drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	all := lacking()
	for _, of := range []func() map[string]mutation.Expectation{
		wrongOfVolumes, wrongOfSizes, wrongOfCapabilities, wrongOfNames, wrongOfMutableParameters, wrongOfDeletion, wrongWhenRepeated,
	} {
		maps.Copy(all, of())
	}
	return mutation.Serially(all)
}
