// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// at is a volume at a path.
type at struct{ volume, path string }

type (
	stageRequest      = csi.NodeStageVolumeRequest
	stageResponse     = csi.NodeStageVolumeResponse
	unstageRequest    = csi.NodeUnstageVolumeRequest
	unstageResponse   = csi.NodeUnstageVolumeResponse
	publishRequest    = csi.NodePublishVolumeRequest
	publishResponse   = csi.NodePublishVolumeResponse
	unpublishRequest  = csi.NodeUnpublishVolumeRequest
	unpublishResponse = csi.NodeUnpublishVolumeResponse
)

// onNode4 makes a driver whose last node reports something different about itself.
func onNode4(change func(*csi.NodeGetInfoResponse)) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		if response.GetNodeId() == "node-4" {
			change(response)
		}
	})
}

// usageOf makes a driver that reports the usage of a volume wrongly.
func usageOf(change func(*csi.VolumeUsage)) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
		for _, usage := range response.GetUsage() {
			if usage.GetUnit() == csi.VolumeUsage_BYTES {
				change(usage)
			}
		}
	})
}

// once makes a driver that refuses with the code to repeat a call for a volume at a path.
func once[Request interface {
	proto.Message
	GetVolumeId() string
}](code codes.Code, path func(Request) string) mutation.Fault {
	return mutation.Again(func(r Request) string { return r.GetVolumeId() + path(r) }, mutation.RefusingAll[Request](code, "the volume was there before"))
}

// isUnheardOf reports whether the access mode is unknown to the driver.
func isUnheardOf(c *csi.VolumeCapability) bool {
	_, known := csi.VolumeCapability_AccessMode_Mode_name[int32(c.GetAccessMode().GetMode())]
	return !known
}

// states records how volumes are staged, by staging path, and where they are published.
type states struct {
	staged    map[at]*csi.VolumeCapability
	published map[at]bool
	// fileSystems are the file systems that volumes were staged with.
	fileSystems map[string]bool
}

// staging returns the capability with which the volume of a publication is staged; nil if it is not staged.
func (s *states) staging(r *publishRequest) *csi.VolumeCapability {
	return s.staged[at{r.GetVolumeId(), r.GetStagingTargetPath()}]
}

func (s *states) isNotStaged(r *publishRequest) bool {
	return r.GetStagingTargetPath() != "" && s.staging(r) == nil
}

func (s *states) isStagedOtherwise(r *publishRequest) bool {
	return s.staging(r) != nil && !s.isElsewhere(r) && !isUnheardOf(r.GetVolumeCapability()) && s.fileSystems[r.GetVolumeCapability().GetMount().GetFsType()] &&
		!proto.Equal(s.staging(r), r.GetVolumeCapability())
}

func (s *states) hasOtherFileSystem(r *publishRequest) bool {
	return s.isStagedOtherwise(r) && s.staging(r).GetMount().GetFsType() != r.GetVolumeCapability().GetMount().GetFsType() && r.GetVolumeCapability().GetMount() != nil
}

func (s *states) isElsewhere(r *publishRequest) bool {
	for other := range s.published {
		if other.volume == r.GetVolumeId() && other.path != r.GetTargetPath() {
			return true
		}
	}
	return false
}

// passing makes a driver that answers with the code, which may be OK, where a publication should be FAILED_PRECONDITION and
// such accepts the states of its volume.
func passing(code codes.Code, such func(s *states, r *publishRequest) bool) mutation.Fault {
	s := &states{staged: map[at]*csi.VolumeCapability{}, published: map[at]bool{}, fileSystems: map[string]bool{"": true}}
	return mutation.InsteadOf(codes.FailedPrecondition, func(_ context.Context, _ mutation.Right, r *publishRequest, refused error) (*publishResponse, error) {
		if such(s, r) {
			return &publishResponse{}, status.Error(code, status.Convert(refused).Message())
		}
		return nil, refused
	}).Over(mutation.OnOK(func(r *publishRequest) { s.published[at{r.GetVolumeId(), r.GetTargetPath()}] = true })).
		And(mutation.OnOK(func(r *unpublishRequest) { delete(s.published, at{r.GetVolumeId(), r.GetTargetPath()}) })).
		And(mutation.OnOK(func(r *stageRequest) {
			s.staged[at{r.GetVolumeId(), r.GetStagingTargetPath()}] = r.GetVolumeCapability()
			s.fileSystems[r.GetVolumeCapability().GetMount().GetFsType()] = true
		})).
		And(mutation.OnOK(func(r *unstageRequest) { delete(s.staged, at{r.GetVolumeId(), r.GetStagingTargetPath()}) }))
}
