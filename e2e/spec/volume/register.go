// SPDX-License-Identifier: Apache-2.0

// Package volume contains the spec tier's cases about CreateVolume, ControllerModifyVolume and DeleteVolume as far as
// topology does not matter: sizes, names, capabilities, mutable parameters, the answer, and deletion.
package volume

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "volumes", Cases: created()},
		{Name: "sizes of volumes", Cases: sizes()},
		{Name: "capabilities of volumes", Cases: capabilities()},
		{Name: "names of volumes", Cases: names()},
		{Name: "names that are taken", Cases: namesTaken()},
		{Name: "mutable parameters", Cases: mutable()},
		{Name: "deletion of volumes", Cases: slices.Concat(deletionCases(), repeatedOfDeleted())},
	}
}
