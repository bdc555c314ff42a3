// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// forgettingFaults returns drivers that forget what they answered: NodeUnpublishVolume undoes more than
// NodePublishVolume did, and NodeStageVolume refuses what CreateVolume accepted.
func forgettingFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"removes the volume in NodeUnpublishVolume": mutation.Wrong(removesUnpublished(),
			mutation.Fails("publish_keeps_data publish_block_keeps_data", "NS-06 NS-16"),
			mutation.Errs("publish_read_only publish_read_only_protects publish_staged_for_reading publish_after_refused_staging unstage_leaves_neighbour")).Seen("csi-driver-lvm 14db8f3"),
		// Clean-up unpublishes what there is not: that it fails takes nothing from what the case found.
		"publishes what does not exist, and INTERNAL for unpublishing it": mutation.Wrong(
			mutation.Recoding[*publishRequest](codes.NotFound, codes.OK).And(mutation.Recoding[*unpublishRequest](codes.NotFound, codes.Internal)),
			mutation.Warns("publish_unknown_volume", "NS-24"), mutation.Fails("unpublish_unknown_volume", "NS-28")),
		"does not stage for readers": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "this node has writers only", func(r *stageRequest) bool {
				return r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
			}),
			mutation.Fails("publish_staged_for_reading publish_after_refused_staging", "CV-14")).Seen("exoscale-csi-driver v0.34.3"),
	}
}

// removesUnpublished returns a node that has nothing of a volume any more once it was unpublished.
func removesUnpublished() mutation.Fault {
	var removed sync.Map
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		switch r := call.Request.(type) {
		case *unpublishRequest:
			removed.Store(r.GetVolumeId(), true)
		case *stageRequest:
			if _, gone := removed.Load(r.GetVolumeId()); gone {
				return nil, status.Error(codes.Internal, "the volume is no block device")
			}
		}
		return call.Perform(ctx)
	})
}
