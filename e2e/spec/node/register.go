// SPDX-License-Identifier: Apache-2.0

// Package node contains the cases about the Node service: NodeGetInfo, and staging, publishing, unpublishing and unstaging
// volumes, once, repeatedly and by mistake. Expansion on a node is in package growth.
//
// The harness creates directories, as a CO does. The cases need not run on the nodes: they access paths through the programs
// that the profile names, or not at all.
package node

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "node info", Cases: slices.Concat(nodeInfo(), nodeTopology())},
		{Name: "node in reach", Cases: reach()},
		{Name: "stage on a node", Cases: slices.Concat(staging(), stagingAgain(), unstaging())},
		{Name: "publish on a node", Cases: slices.Concat(publishing(), publishingAgain(), unpublishing(), orderOfStaging(), stagedOtherwise(), accessModes(), longPaths(), neighbours())},
		{Name: "publish at a second path", Cases: slices.Concat(secondTargets(), secondReaders())},
		{Name: "data on a node", Cases: publishKeepsData()},
		{Name: "volume on a node", Cases: slices.Concat(stats(), health())},
	}
}
