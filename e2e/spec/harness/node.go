// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"path"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Node is one node endpoint of the driver under test.
type Node struct {
	csi.NodeClient
	// Identity is the Identity service of the same endpoint.
	Identity csi.IdentityClient
	// ID, MaxVolumes and Segment are NodeGetInfo's answer when the run began. Segment is empty where the node reports none.
	ID         string
	MaxVolumes int64
	Segment    model.Segment

	name   string
	driver *Driver
	claims map[csi.NodeServiceCapability_RPC_Type]bool
	// unknown says that NodeGetInfo does not answer which node it is.
	unknown bool
}

func newNode(conn connection) *Node {
	return &Node{NodeClient: csi.NewNodeClient(conn), Identity: csi.NewIdentityClient(conn), name: conn.name, driver: conn.driver}
}

// String is the node's id, or which endpoint it is before the id is known.
func (n *Node) String() string {
	if n.ID == "" {
		return n.name
	}
	return "node " + n.ID
}

// NodesIn are the nodes that are in the segment.
func (d *Driver) NodesIn(segment model.Segment) []*Node {
	var found []*Node
	for _, node := range d.Nodes {
		if node.Segment.Equal(segment) {
			found = append(found, node)
		}
	}
	return found
}

// Reaching are the nodes from which a volume of that accessible_topology is accessible, all of them if it has none; the
// others are the nodes from which it is not.
func (d *Driver) Reaching(topology []*csi.Topology) (reaching, others []*Node) {
	for _, node := range d.Nodes {
		reaches := len(topology) == 0
		for _, term := range topology {
			reaches = reaches || node.Segment.Matches(term.GetSegments())
		}
		if reaches {
			reaching = append(reaching, node)
		} else {
			others = append(others, node)
		}
	}
	return reaching, others
}

// StagingPath makes a new directory for NodeStageVolume, as a CO does, and TargetPath makes the parent of a new target
// path for NodePublishVolume. They are removed after the case.
func (n *Node) StagingPath(ctx context.Context) string {
	dir := n.path("staging")
	n.makeDir(ctx, dir)
	return dir
}

// targetName is how the last part of each target path is called.
const targetName = "target"

// TargetPath is a path for NodePublishVolume, whose parent there is and which itself there is not.
func (n *Node) TargetPath(ctx context.Context) string {
	dir := n.path("pod")
	n.makeDir(ctx, dir)
	return path.Join(dir, targetName)
}

// LongPath makes a directory whose path has so many bytes, or more where it cannot be as short as that. It is removed
// after the case.
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

// Exists reports whether there is anything at a path on the node.
func (n *Node) Exists(ctx context.Context, at string) bool {
	found, err := n.driver.target.Paths.Exists(ctx, n.ID, at)
	if err != nil {
		suite.CouldNotTell("whether %s has %s could not be found out: %v", n, at, err)
	}
	return found
}

func (n *Node) path(kind string) string {
	return path.Join(n.driver.target.Paths.Root(), n.driver.Name(), kind)
}

func (n *Node) makeDir(ctx context.Context, dir string) {
	paths := n.driver.target.Paths
	l := n.driver.ledger
	l.enter("directory "+dir+" of "+n.String(), func(ctx context.Context) error {
		// What a driver leaves at a path that it says it has unpublished is for the case on that to judge. A mount point, or a
		// directory with something in it, is not removed.
		if target := path.Join(dir, targetName); l.isUnpublished(target) {
			if err := paths.Remove(ctx, n.ID, target); err != nil {
				return err
			}
		}
		if err := paths.Remove(ctx, n.ID, dir); err != nil {
			return err
		}
		return paths.Remove(ctx, n.ID, path.Dir(dir))
	})
	if err := paths.Make(ctx, n.ID, dir); err != nil {
		suite.CouldNotTell("making the directory %s of %s: %v", dir, n, err)
	}
}
