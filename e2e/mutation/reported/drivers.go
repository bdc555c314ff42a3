// SPDX-License-Identifier: Apache-2.0

// Package reported has drivers that do what public reports say of real ones, or what was seen of them: mostly two things that are
// right each by itself, and wrong together.
package reported

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers are those that are wrong.
func Drivers() map[string]mutation.Expectation {
	all := ofVolumes()
	maps.Copy(all, ofSources())
	maps.Copy(all, ofNodes())
	return all
}
