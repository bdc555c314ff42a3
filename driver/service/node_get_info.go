// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// NodeGetInfo returns the node's name, its topology and its maximum number of volumes; the answer never changes while the
// process lives (NI-04, NI-06, NI-18).
func (n *Node) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	response := &csi.NodeGetInfoResponse{NodeId: n.id, MaxVolumesPerNode: n.maxVolumes}
	if len(n.segment) > 0 {
		response.AccessibleTopology = &csi.Topology{Segments: n.segment}
	}
	return response, nil
}
