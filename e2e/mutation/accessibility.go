// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// accessibility records the topologies that a driver's volumes are accessible from, for nodes that check this when they
// stage a volume, like the nodes of a driver without ControllerPublishVolume.
type accessibility struct {
	of sync.Map // the accessible topology, by volume_id
}

// learn records the reference driver's answer about a volume, before its topology is removed.
func (a *accessibility) learn(request, response proto.Message) {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		volume := response.(*csi.CreateVolumeResponse).GetVolume()
		a.of.Store(volume.GetVolumeId(), slices.Clone(volume.GetAccessibleTopology()))
	case *csi.DeleteVolumeRequest:
		a.of.Delete(r.GetVolumeId())
	}
}

// check returns FAILED_PRECONDITION for a request to stage a volume that is not accessible from the node.
func (a *accessibility) check(ctx context.Context, node Right, request proto.Message) error {
	r, stages := request.(*csi.NodeStageVolumeRequest)
	if !stages {
		return nil
	}
	found, known := a.of.Load(r.GetVolumeId())
	if !known {
		return nil
	}
	info, err := node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
	if err != nil {
		return err
	}
	segment, terms := topology.Segment(info.GetAccessibleTopology().GetSegments()), found.([]*csi.Topology)
	if !slices.ContainsFunc(terms, func(t *csi.Topology) bool { return segment.Matches(t.GetSegments()) }) {
		return status.Errorf(codes.FailedPrecondition, "volume %q is accessible from %v only, and the node is in {%s}", r.GetVolumeId(), terms, segment)
	}
	return nil
}
