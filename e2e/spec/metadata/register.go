// SPDX-License-Identifier: Apache-2.0

// Package metadata has the spec tier's cases about the SnapshotMetadata service (alpha): which blocks of a snapshot
// were written to, and which differ from an earlier snapshot. The cases write the data, so they know the answers.
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

// needs returns what the cases need that make the given number of raw block volumes.
func needs(volumes int) []harness.Need {
	return harness.Needs(
		harness.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE),
		harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
		harness.Volumes(volumes), harness.Block(), harness.Nodes(1), harness.Data(),
	)
}
