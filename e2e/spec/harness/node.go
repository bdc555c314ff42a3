// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"path"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// StagingPath makes a new directory for NodeStageVolume, as a CO does, and TargetPath makes the parent of a new target
// path for NodePublishVolume. They are removed after the case.
func (n *Node) StagingPath(ctx context.Context) string {
	dir := n.path("staging")
	n.makeDir(ctx, dir)
	return dir
}

// targetName is the last part of each target path.
const targetName = "target"

// TargetPath returns a path for NodePublishVolume. Its parent exists, and the path itself does not.
func (n *Node) TargetPath(ctx context.Context) string {
	dir := n.path("pod")
	n.makeDir(ctx, dir)
	return path.Join(dir, targetName)
}

// LongPath makes a directory whose path has the given number of bytes, or more if it cannot be as short as that. It is
// removed after the case.
func (n *Node) LongPath(ctx context.Context, bytes int) string {
	const longestName = 200
	dir := n.path("long")
	n.makeDir(ctx, dir)
	for missing := bytes - len(dir); missing > 0; missing = bytes - len(dir) {
		name := min(max(missing-1, 1), longestName)
		if missing-1-name == 1 {
			name-- // a separator alone cannot be added afterwards
		}
		dir = path.Join(dir, strings.Repeat("x", name))
		n.makeDir(ctx, dir)
	}
	return dir
}

// Exists reports whether anything exists at a path on the node.
func (n *Node) Exists(ctx context.Context, at string) bool {
	found, err := n.Driver.Target.Paths.Exists(ctx, n.ID, at)
	if err != nil {
		suite.CouldNotTell("cannot find out whether %s has %s: %v", n, at, err)
	}
	return found
}

func (n *Node) path(kind string) string {
	return path.Join(n.Driver.Target.Paths.Root(), n.Driver.Name(), kind)
}

func (n *Node) makeDir(ctx context.Context, dir string) {
	n.enterDir(dir)
	if err := n.Driver.Target.Paths.Make(ctx, n.ID, dir); err != nil {
		suite.CouldNotTell("making the directory %s of %s: %v", dir, n, err)
	}
}

// enterDir enters the directory and its parent, so that they are removed.
func (n *Node) enterDir(dir string) {
	paths := n.Driver.Target.Paths
	l := n.Driver.ledger
	l.Enter("directory "+dir+" of "+n.String(), func(ctx context.Context) error {
		// Another case judges a driver's leftovers at a path that it says it has unpublished. A mount point, or a directory
		// that is not empty, is not removed.
		if target := path.Join(dir, targetName); l.IsUnpublished(target) {
			if err := paths.Remove(ctx, n.ID, target); err != nil {
				return err
			}
		}
		if err := paths.Remove(ctx, n.ID, dir); err != nil {
			return err
		}
		return paths.Remove(ctx, n.ID, path.Dir(dir))
	})
}

// mayHave reports whether a directory of an earlier run may be left. It looks at the parent, which is removed with the
// directory: that never waits for a volume, which may be mounted at the directory itself.
func (n *Node) mayHave(ctx context.Context, dir string) bool {
	there, err := n.Driver.Target.Paths.Exists(ctx, n.ID, path.Dir(dir))
	return there || err != nil
}

// Claims reports whether the node's NodeGetCapabilities lists the capability.
func (n *Node) Claims(capability csi.NodeServiceCapability_RPC_Type) bool {
	return n.claims[capability]
}
