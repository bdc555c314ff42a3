// SPDX-License-Identifier: Apache-2.0

// Package reported has drivers that behave as public reports describe real drivers, or as real drivers were observed:
// usually two things that are right each by itself, and wrong together.
package reported

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the wrong drivers.
func Drivers() map[string]mutation.Expectation {
	all := ofVolumes()
	maps.Copy(all, ofSources())
	maps.Copy(all, ofNodes())
	return all
}
