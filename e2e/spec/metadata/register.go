// SPDX-License-Identifier: Apache-2.0

// Package metadata contains the spec tier's cases about the SnapshotMetadata service (alpha): the blocks of a snapshot that
// were written to, and the ones that differ from an earlier snapshot. The cases write the data, so they know the answers.
package metadata

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{{Name: "metadata of snapshots", Cases: slices.Concat(contents(), streams(), refusals())}}
}

// needs returns the needs of cases that create the given number of raw block volumes.
func needs(volumes int) []harness.Need {
	return harness.Needs(
		harness.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE),
		harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
		harness.Volumes(volumes), harness.Block(), harness.Nodes(1), harness.Data(),
	)
}
