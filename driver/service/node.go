package service

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// NodeConfig is what a node plugin has to know of its node.
type NodeConfig struct {
	// NodeID names the node, uniquely within the driver; at most 256 bytes (CSI spec, NodeGetInfo).
	NodeID string
	// Segment is where the node is; nil leaves the node without topology.
	Segment topology.Segment
	// MaxVolumes is how many volumes may be published to the node at once; 0 leaves it to the orchestrator.
	MaxVolumes int64
	// Volumes brings volumes to paths of this node.
	Volumes volume.Mounter
}

// Node is the CSI Node service of one node. What is mounted where is read from
// the mounter on each call; only what a mount table cannot tell, such as an
// access mode, is remembered for as long as the process lives.
type Node struct {
	csi.UnimplementedNodeServer

	id         string
	segment    topology.Segment
	maxVolumes int64
	volumes    volume.Mounter

	locks     *keyedLock
	staged    *usages
	published *usages
}

// NewNode returns the Node service for one node.
func NewNode(c NodeConfig) *Node {
	return &Node{
		id:         c.NodeID,
		segment:    c.Segment,
		maxVolumes: c.MaxVolumes,
		volumes:    c.Volumes,
		locks:      newKeyedLock(),
		staged:     newUsages(),
		published:  newUsages(),
	}
}
