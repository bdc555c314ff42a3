// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faultsOfNodes returns drivers whose nodes are wrong.
func faultsOfNodes() map[string]Sequence {
	return map[string]Sequence{
		"stages a volume once": {once[*csi.NodeStageVolumeRequest, *csi.NodeUnstageVolumeRequest](codes.AlreadyExists,
			(*csi.NodeStageVolumeRequest).GetStagingTargetPath, (*csi.NodeUnstageVolumeRequest).GetStagingTargetPath), "NS-04", 4},
		"unstages a volume once": {once[*csi.NodeUnstageVolumeRequest, *csi.NodeStageVolumeRequest](codes.Internal,
			(*csi.NodeUnstageVolumeRequest).GetStagingTargetPath, (*csi.NodeStageVolumeRequest).GetStagingTargetPath), "NS-09", 5},
		"does not publish what was unpublished": {publishesOnce(), "NS-20", 6},
		"unpublishes a volume once": {once[*csi.NodeUnpublishVolumeRequest, *csi.NodePublishVolumeRequest](codes.NotFound,
			(*csi.NodeUnpublishVolumeRequest).GetTargetPath, (*csi.NodePublishVolumeRequest).GetTargetPath), "NS-16", 6},
		"nodes do not see that a volume has grown": {mutation.RefusingSome(codes.OutOfRange, "the device is smaller", func(r *csi.NodeExpandVolumeRequest) bool {
			return r.GetCapacityRange().GetRequiredBytes() > unit
		}), "NE-01", 6},
	}
}

// ofVolume is a request about a volume.
type ofVolume interface {
	proto.Message
	GetVolumeId() string
}

// once makes a driver that refuses with the code what it has done for a volume at a path, until it is undone.
func once[Do, Undo ofVolume](code codes.Code, path func(Do) string, pathOfUndo func(Undo) string) mutation.Fault {
	done := map[string]bool{}
	return mutation.RefusingSome(code, "it was done before", func(r Do) bool { return done[r.GetVolumeId()+path(r)] }).
		Over(mutation.OnOK(func(r Do) { done[r.GetVolumeId()+path(r)] = true })).
		And(mutation.Asking(func(r Undo) { delete(done, r.GetVolumeId()+pathOfUndo(r)) }))
}

func publishesOnce() mutation.Fault {
	gone := map[string]bool{}
	return mutation.Asking(func(r *csi.NodeUnpublishVolumeRequest) { gone[r.GetVolumeId()] = true }).
		And(mutation.RefusingSome(codes.Internal, "the volume was published before", func(r *csi.NodePublishVolumeRequest) bool { return gone[r.GetVolumeId()] }))
}
