// SPDX-License-Identifier: Apache-2.0

// Package attach contains the cases of ControllerPublishVolume, ControllerUnpublishVolume and ValidateVolumeCapabilities:
// which nodes a volume can be attached to, when it can be attached to another, and which requests are refused. Nothing is
// staged: node endpoints only show which nodes exist, and where.
package attach

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "attach to a node", Cases: slices.Concat(attaching(), attachingAgain(), attachingReadOnly(), attachingToSeveral(), attachingBeside(), attachingToTheLimit(), attachingWrongly())},
		{Name: "detach from a node", Cases: slices.Concat(detaching(), detachingFromAll(), detachingGivenUp())},
		{Name: "validate capabilities", Cases: validating()},
	}
}
