// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const (
	mib   = 1 << 20
	size  = 16 * mib
	grown = 32 * mib
)

// faults are drivers that are wrong in one way each, in what the controller does.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"says that a volume grew, and left it": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			if _, err := sizeOf(ctx, right, r.GetVolumeId()); err != nil || r.GetCapacityRange().GetRequiredBytes() != grown {
				return right.ControllerExpandVolume(ctx, r)
			}
			return &expandResponse{CapacityBytes: grown}, nil
		}),
		"answers with the old size": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			before, _ := sizeOf(ctx, right, r.GetVolumeId())
			response, err := right.ControllerExpandVolume(ctx, r)
			if err == nil {
				response.CapacityBytes = before
			}
			return response, err
		}),
		"never has room for a growth": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			_, err := sizeOf(ctx, right, r.GetVolumeId())
			c := r.GetVolumeCapability()
			plain := c == nil || c.GetMount().GetFsType() == "" && c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
			if err != nil || !plain || r.GetCapacityRange().GetRequiredBytes() != grown || r.GetCapacityRange().GetLimitBytes() > 0 {
				return right.ControllerExpandVolume(ctx, r)
			}
			return nil, status.Error(codes.ResourceExhausted, "no space left on device")
		}),
		"needs a volume_capability": refuse(status.Error(codes.InvalidArgument, "volume_capability is missing"), func(r *expandRequest) bool {
			return r.GetVolumeCapability() == nil
		}),
		"takes no limit_bytes for a limit of 0": refuse(status.Error(codes.OutOfRange, "the volume may have 0 bytes at most"), func(r *expandRequest) bool {
			return r.GetCapacityRange().GetRequiredBytes() > 0 && r.GetCapacityRange().GetLimitBytes() == 0
		}),
		"ignores volume_capability": askController(func(r *expandRequest) { r.VolumeCapability = nil }),
		"does not grow block volumes": refuse(status.Error(codes.Internal, "resize2fs: bad magic number"), func(r *expandRequest) bool {
			return r.GetVolumeCapability().GetBlock() != nil
		}),
		"claims ONLINE, and refuses published volumes":    onlyUnpublished(codes.FailedPrecondition),
		"claims ONLINE, and fails for published volumes":  onlyUnpublished(codes.Internal),
		"claims OFFLINE, and fails for published volumes": claim(csi.PluginCapability_VolumeExpansion_OFFLINE).And(onlyUnpublished(codes.Internal)),
		"claims OFFLINE, and grows published volumes":     claim(csi.PluginCapability_VolumeExpansion_OFFLINE),
		"a repeated growth is an error":                   refusesRepeats(),
		"a repeated growth takes the room again":          takesOnRepeat(),
		"is stuck once a call was cut short":              isStuck(false),
		"fails once after a call was cut short":           isStuck(true),
		"answers no capacity_bytes": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			if err == nil {
				response.CapacityBytes = 0
			}
			return response, err
		}),
		"shrinks": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			if required := r.GetCapacityRange().GetRequiredBytes(); err == nil && required > 0 && response.GetCapacityBytes() > required {
				response.CapacityBytes = required
			}
			return response, err
		}),
		"a smaller size is out of range": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			if err == nil && response.GetCapacityBytes() > r.GetCapacityRange().GetRequiredBytes() && r.GetCapacityRange().GetLimitBytes() == 0 {
				return nil, status.Error(codes.OutOfRange, "a volume does not shrink")
			}
			return response, err
		}),
		"the size that it has is out of range": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			if has, err := sizeOf(ctx, right, r.GetVolumeId()); err == nil && has == r.GetCapacityRange().GetLimitBytes() {
				return nil, status.Error(codes.OutOfRange, "a volume does not shrink")
			}
			return right.ControllerExpandVolume(ctx, r)
		}),
		"ignores limit_bytes": askController(func(r *expandRequest) {
			if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 && limit >= r.GetCapacityRange().GetRequiredBytes() {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + mib}
			}
		}),
		"rounds up past limit_bytes": askController(func(r *expandRequest) {
			if odd := r.GetCapacityRange().GetRequiredBytes() % mib; odd > 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: r.GetCapacityRange().GetRequiredBytes() - odd + mib}
			}
		}),
		"rounds down, and does not say so": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			required := r.GetCapacityRange().GetRequiredBytes()
			if required%mib == 0 {
				return right.ControllerExpandVolume(ctx, r)
			}
			r.CapacityRange.RequiredBytes -= required % mib
			_, err := right.ControllerExpandVolume(ctx, r)
			return &expandResponse{CapacityBytes: required}, err
		}),
		"grows to its default size for an empty range": askController(func(r *expandRequest) {
			if r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() == 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: grown}
			}
		}),
		"OK to a limit below the size": whenRefused(codes.OutOfRange, func(ctx context.Context, right mutation.Right, r *expandRequest, refused error) (*expandResponse, error) {
			if has, err := sizeOf(ctx, right, r.GetVolumeId()); err == nil && r.GetCapacityRange().GetLimitBytes() > 0 {
				return &expandResponse{CapacityBytes: has}, nil
			}
			return nil, refused
		}),
		"shrinks to limit_bytes": whenRefused(codes.OutOfRange, func(_ context.Context, _ mutation.Right, r *expandRequest, refused error) (*expandResponse, error) {
			if r.GetCapacityRange().GetLimitBytes() == 0 {
				return nil, refused
			}
			return &expandResponse{CapacityBytes: r.GetCapacityRange().GetLimitBytes()}, nil
		}),
		"limit_bytes alone is invalid": refuse(status.Error(codes.InvalidArgument, "required_bytes is missing"), func(r *expandRequest) bool {
			return r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() > 0
		}),
		"OK to what is invalid":       whenRefused(codes.InvalidArgument, agree),
		"INTERNAL to what is invalid": whenRefused(codes.InvalidArgument, answerInternal),
		"OK to an unknown volume":     whenRefused(codes.NotFound, agree),
		"INTERNAL to an unknown volume": whenRefused(codes.NotFound,
			answerInternal),
		"no message with a refusal": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			if err != nil {
				return nil, status.Error(status.Code(err), "")
			}
			return response, nil
		}),
		"INTERNAL without room": whenTooMuch(answerInternal),
		"OK without room":       whenTooMuch(agree),
		"OUT_OF_RANGE without room": whenRefused(codes.ResourceExhausted, func(_ context.Context, _ mutation.Right, _ *expandRequest, refused error) (*expandResponse, error) {
			return nil, status.Error(codes.OutOfRange, status.Convert(refused).Message())
		}),
		"a refused growth shows in the size":         staysGrown(),
		"a refused growth takes room":                takesWhenRefused(),
		"capacity is negative after a refusal":       negativeCapacity(),
		"a growth is not taken from capacity":        account(always, func(growth int64, _ *csi.Topology) int64 { return growth }),
		"a growth is taken twice":                    account(always, func(growth int64, _ *csi.Topology) int64 { return -growth }),
		"a growth is taken from one of two segments": account(twice, func(growth int64, in *csi.Topology) int64 { return ifZone(in, "Z3", growth) }),
		"a growth makes capacity negative":           account(always, func(int64, *csi.Topology) int64 { return -2 << 30 }),
		"a grown volume moves":                       moves(),
		"volume_context changes with the size":       changesContext(),
		"reports neither accessible_topology nor volume_context": createdIn("pool").And(report(func(v *csi.Volume) {
			v.AccessibleTopology, v.VolumeContext = nil, nil
		})),
		"lists the size from before a growth": listsOldSizes(),
		"reports no accessible_topology of a grown volume": report(func(v *csi.Volume) {
			if v.GetCapacityBytes() == grown {
				v.AccessibleTopology = nil
			}
		}),
		"INTERNAL while another growth is pending": refusesSecond(codes.Internal),
		"ABORTED while another growth is pending":  refusesSecond(codes.Aborted),
		"node_expansion_required is false": onController(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			response, err := right.ControllerExpandVolume(ctx, r)
			if err == nil {
				response.NodeExpansionRequired = false
			}
			return response, err
		}),
	}
}
