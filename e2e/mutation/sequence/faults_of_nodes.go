// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faultsOfNodes are drivers whose nodes are wrong.
func faultsOfNodes() map[string]Sequence {
	return map[string]Sequence{
		"stages a volume once": {func() mutation.Fault {
			staged := map[string]bool{}
			return mutation.Checking(func(r *csi.NodeStageVolumeRequest) error {
				at := r.GetVolumeId() + r.GetStagingTargetPath()
				if staged[at] {
					return status.Error(codes.AlreadyExists, "the volume is staged")
				}
				staged[at] = true
				return nil
			}).And(mutation.Asking(func(r *csi.NodeUnstageVolumeRequest) { delete(staged, r.GetVolumeId()+r.GetStagingTargetPath()) }))
		}, "NS-04", 4},

		"unstages a volume once": {func() mutation.Fault {
			unstaged := map[string]bool{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
				at := r.GetVolumeId() + r.GetStagingTargetPath()
				if unstaged[at] {
					return nil, status.Error(codes.Internal, "the volume is not mounted")
				}
				response, err := right.NodeUnstageVolume(ctx, r)
				unstaged[at] = err == nil
				return response, err
			}).And(mutation.Asking(func(r *csi.NodeStageVolumeRequest) { delete(unstaged, r.GetVolumeId()+r.GetStagingTargetPath()) }))
		}, "NS-09", 5},

		"does not publish what was unpublished": {func() mutation.Fault {
			gone := map[string]bool{}
			return mutation.Asking(func(r *csi.NodeUnpublishVolumeRequest) { gone[r.GetVolumeId()] = true }).And(mutation.RefusingSome(codes.Internal, "the volume was published before", func(r *csi.NodePublishVolumeRequest) bool {
				return gone[r.GetVolumeId()]
			}))
		}, "NS-20", 6},

		"unpublishes a volume once": {func() mutation.Fault {
			gone := map[string]bool{}
			return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
				at := r.GetVolumeId() + r.GetTargetPath()
				if gone[at] {
					return nil, status.Error(codes.NotFound, "nothing is published at the path")
				}
				response, err := right.NodeUnpublishVolume(ctx, r)
				gone[at] = err == nil
				return response, err
			}).And(mutation.Asking(func(r *csi.NodePublishVolumeRequest) { delete(gone, r.GetVolumeId()+r.GetTargetPath()) }))
		}, "NS-16", 6},

		"nodes do not see that a volume has grown": {func() mutation.Fault {
			return mutation.RefusingSome(codes.OutOfRange, "the device is smaller", func(r *csi.NodeExpandVolumeRequest) bool {
				return r.GetCapacityRange().GetRequiredBytes() > unit
			})
		}, "NE-01", 6},
	}
}
