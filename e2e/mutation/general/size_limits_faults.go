// SPDX-License-Identifier: Apache-2.0

package general

import (
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfLimits returns drivers that answer with too many bytes, or that crash on requests that are too large.
func wrongOfLimits() map[string]mutation.Expectation {
	large := map[string]string{"note": strings.Repeat("n", 4<<10)}
	long := strings.Repeat("n", 129)
	return map[string]mutation.Expectation{
		"has a long version": mutation.Wrong(
			mutation.Answering(func(_ *csi.GetPluginInfoRequest, response *csi.GetPluginInfoResponse) { response.VendorVersion = long }),
			mutation.Fails("limits_of_answers", "GEN-04")),
		"publishes with a large publish_context": mutation.Wrong(
			mutation.Answering(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
				response.PublishContext = large
			}).And(mutation.Asking(func(r *csi.NodeStageVolumeRequest) { r.PublishContext = nil })).And(mutation.Asking(func(r *csi.NodePublishVolumeRequest) { r.PublishContext = nil })),
			mutation.Fails("limits_of_answers", "GEN-04")),
		"answers with 5 MB that nobody knows": mutation.Wrong(
			mutation.Answering(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) { enlarge(response, 5<<20) }),
			mutation.Warns("limits_of_answers", "GEN-04")),
		"lists 5 MB": mutation.Wrong(
			mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) { enlarge(response, 5<<20) }),
			mutation.Warns("limits_of_answers", "GEN-04")),
		"lists more than can be read": mutation.Wrong(
			mutation.RefusingAll[*csi.ListVolumesRequest](codes.ResourceExhausted, "grpc: received message larger than max (20971520 vs. 16777216)"), // as gRPC says
			mutation.Warns("limits_of_answers", "GEN-04")),
		"explains itself at length": mutation.Wrong(
			mutation.Instead(func(*csi.ValidateVolumeCapabilitiesRequest) *csi.ValidateVolumeCapabilitiesResponse {
				return &csi.ValidateVolumeCapabilitiesResponse{Message: long}
			}), mutation.Fails("limits_of_answers", "GEN-04"), mutation.Fails("required_validate_volume", "GEN-06 GEN-11"),
			mutation.Passes("limits_of_volume_id concurrent_deletion")), // that it knows any volume is for validate_unknown_volume
		"knows a volume by the first 128 bytes of a volume_id": mutation.Wrong(
			mutation.Where(func(r *csi.ValidateVolumeCapabilitiesRequest) bool { return len(r.GetVolumeId()) > 128 },
				mutation.Instead(func(*csi.ValidateVolumeCapabilitiesRequest) *csi.ValidateVolumeCapabilitiesResponse {
					return &csi.ValidateVolumeCapabilitiesResponse{}
				})), mutation.Warns("limits_of_volume_id", "GEN-04")),
		"breaks down at a long volume_id": mutation.Wrong(
			careless(func(r *csi.ValidateVolumeCapabilitiesRequest) bool { return len(r.GetVolumeId()) > 128 }),
			mutation.Warns("limits_of_volume_id", "GEN-12")),
		"takes any parameters": mutation.Wrong(mutation.Asking(func(r *csi.CreateVolumeRequest) { r.Parameters = nil }),
			mutation.Passes("limits_of_parameters")),
		"says INVALID_ARGUMENT for an access mode that it does not know": mutation.Wrong(
			mutation.Checking(func(r *csi.ValidateVolumeCapabilitiesRequest) error {
				for _, c := range r.GetVolumeCapabilities() {
					if _, known := csi.VolumeCapability_AccessMode_Mode_name[int32(c.GetAccessMode().GetMode())]; !known {
						return status.Error(codes.InvalidArgument, "the access mode is unknown")
					}
				}
				return nil
			}), mutation.Passes("limits_of_answers")),
		"fails at parameters that it does not know": mutation.Wrong(
			mutation.Ending(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
				if len(r.GetParameters()) > 0 {
					err = status.Error(codes.FailedPrecondition, "this driver does not do that")
				}
				return response, err
			}), mutation.Warns("limits_of_parameters", "GEN-12")),
	}
}

// enlarge adds a field that no version of the specification has.
func enlarge(answer proto.Message, bytes int) {
	const number = 50000
	field := protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), make([]byte, bytes))
	answer.ProtoReflect().SetUnknown(append(answer.ProtoReflect().GetUnknown(), field...))
}
