// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/record/usage"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// nodeIDLimit is the maximum size of a node id in bytes (NI-09).
const nodeIDLimit = 256

// NodeConfig is the configuration of a node plugin. NodeID and Volumes are required.
type NodeConfig struct {
	// NodeID names the node, uniquely within the driver; at most 256 bytes (NI-07, NI-09).
	NodeID string
	// Segment is the segment of the node; nil leaves the node without topology.
	Segment topology.Segment
	// MaxVolumes is the number of volumes that may be published to the node at a time; 0 leaves it to the
	// orchestrator.
	MaxVolumes int64
	// Volumes mounts volumes at paths of this node.
	Volumes volume.Mounter
	// StateDir is a directory for this node alone that outlives the plugin, and holds records of how volumes were requested.
	// If "", the plugin keeps these records only in memory.
	StateDir string
	// Watch is notified of each step that changes StateDir; nil does nothing.
	Watch durable.Watch
}

// Node is the CSI Node service of one node. It asks the mounter on each call which volumes are mounted where, and
// remembers only what a mount table cannot show, such as an access mode.
type Node struct {
	csi.UnimplementedNodeServer

	id         string
	segment    topology.Segment
	maxVolumes int64
	volumes    volume.Mounter

	// Calls for one volume run one after the other; calls that only read the usage of a volume need no lock.
	locks  *keyedLock
	usages *usage.Store
}

// NewNode returns the Node service for one node, with the records of how mounted volumes were requested. It logs to the
// logger that ctx carries. It fails if the configuration is incomplete or StateDir cannot be read; it drops damaged
// records, and logs that.
func NewNode(ctx context.Context, c NodeConfig) (*Node, error) {
	switch {
	case c.NodeID == "" || len(c.NodeID) > nodeIDLimit:
		return nil, fmt.Errorf("starting the node plugin: the node id must have 1 to %d bytes, and has %d", nodeIDLimit, len(c.NodeID))
	case c.MaxVolumes < 0:
		return nil, fmt.Errorf("starting the node plugin: a node cannot have %d volumes at most (NI-12)", c.MaxVolumes)
	case c.Volumes == nil:
		return nil, errors.New("starting the node plugin: it needs a mounter")
	}
	usages, err := usage.Open(ctx, c.StateDir, c.Watch)
	if err != nil {
		return nil, fmt.Errorf("starting the node plugin: %w", err)
	}
	node := &Node{
		id:         c.NodeID,
		segment:    c.Segment,
		maxVolumes: c.MaxVolumes,
		volumes:    c.Volumes,
		locks:      newKeyedLock(),
		usages:     usages,
	}
	node.forgetMissingPaths(ctx)
	return node, nil
}

// forgetMissingPaths removes the records of paths that no longer exist: nothing can be mounted there. It
// does not ask the mounter: while the data directory is missing, the mounter cannot distinguish a volume
// that exists from one that does not.
func (n *Node) forgetMissingPaths(ctx context.Context) {
	for _, r := range n.usages.All() {
		if _, err := os.Lstat(r.Path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := n.usages.Remove(r.At); err != nil {
			klog.FromContext(ctx).Error(err, "keeping the record of a volume at a path that is gone; it does no harm")
		}
	}
}
