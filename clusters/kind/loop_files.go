// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"

	"sigs.k8s.io/kind/pkg/cluster/nodes"
)

// makeLoopFiles makes the device files in the node for loop devices that the kernel may add later. A kubelet sets up a
// loop device for each raw block volume, and fails if its file is missing: the /dev of a container has only the files
// that existed when it started.
func makeLoopFiles(node nodes.Node) error {
	const script = "i=0; while [ $i -lt 256 ]; do [ -e /dev/loop$i ] || mknod /dev/loop$i b 7 $i || exit 1; i=$((i+1)); done"
	if err := node.Command("sh", "-c", script).Run(); err != nil {
		return fmt.Errorf("making the files of loop devices on node %s: %w", node, err)
	}
	return nil
}
