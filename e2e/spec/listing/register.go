// SPDX-License-Identifier: Apache-2.0

package listing

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "list of volumes", Cases: listOfVolumes()},
		{Name: "pages of the list of volumes", Cases: pagesOfVolumes()},
		{Name: "entries of the list of volumes", Cases: entriesOfVolumes()},
		{Name: "one volume", Cases: oneVolume()},
		{Name: "health of volumes", Cases: healthOfVolumes()},
	}
}
