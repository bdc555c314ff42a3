// SPDX-License-Identifier: Apache-2.0

package together

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "volumes at once", Cases: []harness.Case{volumesAtOnce()}},
		{Name: "histories of calls at once", Cases: append(historiesOfTargets(),
			historyOfName(), historyOfSnapshot(), historyOfPublication(), historyOfSize(), historyOfPool())},
	}
}
