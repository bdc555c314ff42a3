package growth_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const (
	mib   = 1 << 20
	size  = 16 * mib
	grown = 32 * mib
)

// faults are drivers that are wrong in one way each, in what the controller does.
var faults = map[string]spectest.Fault{
	"says that a volume grew, and left it": growing(func(ctx context.Context, right spectest.Right, r *expandRequest) (*expandResponse, error) {
		if _, err := sizeOf(ctx, right, r.GetVolumeId()); err != nil || r.GetCapacityRange().GetRequiredBytes() != grown {
			return right.ControllerExpandVolume(ctx, r)
		}
		return &expandResponse{CapacityBytes: grown}, nil
	}),
	"answers with the size from before": growing(func(ctx context.Context, right spectest.Right, r *expandRequest) (*expandResponse, error) {
		before, _ := sizeOf(ctx, right, r.GetVolumeId())
		response, err := right.ControllerExpandVolume(ctx, r)
		if err == nil {
			response.CapacityBytes = before
		}
		return response, err
	}),
	"needs a volume_capability": refusing(status.Error(codes.InvalidArgument, "volume_capability is missing"), func(r *expandRequest) bool {
		return r.GetVolumeCapability() == nil
	}),
	"ignores volume_capability": asking(func(r *expandRequest) { r.VolumeCapability = nil }),
	"does not grow block volumes": refusing(status.Error(codes.Internal, "resize2fs: bad magic number"), func(r *expandRequest) bool {
		return r.GetVolumeCapability().GetBlock() != nil
	}),
	"claims ONLINE, and refuses published volumes":       onlyUnpublished(),
	"does not claim ONLINE, and grows published volumes": claiming(csi.PluginCapability_VolumeExpansion_OFFLINE),
	"a repeated growth is an error":                      refusesRepeats(),
	"a repeated growth takes the room again":             takesOnRepeat(),
	"shrinks": growing(func(ctx context.Context, right spectest.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		if required := r.GetCapacityRange().GetRequiredBytes(); err == nil && required > 0 && response.GetCapacityBytes() > required {
			response.CapacityBytes = required
		}
		return response, err
	}),
	"a smaller size is out of range": growing(func(ctx context.Context, right spectest.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		if err == nil && response.GetCapacityBytes() > r.GetCapacityRange().GetRequiredBytes() && r.GetCapacityRange().GetLimitBytes() == 0 {
			return nil, status.Error(codes.OutOfRange, "a volume does not shrink")
		}
		return response, err
	}),
	"ignores limit_bytes": asking(func(r *expandRequest) {
		if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 && limit >= r.GetCapacityRange().GetRequiredBytes() {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + mib}
		}
	}),
	"OK to a limit below the size": whenRefused(codes.OutOfRange, func(ctx context.Context, right spectest.Right, r *expandRequest, refused error) (*expandResponse, error) {
		if has, err := sizeOf(ctx, right, r.GetVolumeId()); err == nil && r.GetCapacityRange().GetLimitBytes() > 0 {
			return &expandResponse{CapacityBytes: has}, nil
		}
		return nil, refused
	}),
	"shrinks to limit_bytes": whenRefused(codes.OutOfRange, func(_ context.Context, _ spectest.Right, r *expandRequest, refused error) (*expandResponse, error) {
		if r.GetCapacityRange().GetLimitBytes() == 0 {
			return nil, refused
		}
		return &expandResponse{CapacityBytes: r.GetCapacityRange().GetLimitBytes()}, nil
	}),
	"limit_bytes alone is invalid": refusing(status.Error(codes.InvalidArgument, "required_bytes is missing"), func(r *expandRequest) bool {
		return r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() > 0
	}),
	"OK to what is invalid":       whenRefused(codes.InvalidArgument, agreeing),
	"INTERNAL to what is invalid": whenRefused(codes.InvalidArgument, saying),
	"OK to an unknown volume":     whenRefused(codes.NotFound, agreeing),
	"INTERNAL to an unknown volume": whenRefused(codes.NotFound,
		saying),
	"no message with a refusal": growing(func(ctx context.Context, right spectest.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		if err != nil {
			return nil, status.Error(status.Code(err), "")
		}
		return response, nil
	}),
	"INTERNAL without room": whenTooMuch(saying),
	"OK without room":       whenTooMuch(agreeing),
	"OUT_OF_RANGE without room": whenRefused(codes.ResourceExhausted, func(_ context.Context, _ spectest.Right, _ *expandRequest, refused error) (*expandResponse, error) {
		return nil, status.Error(codes.OutOfRange, status.Convert(refused).Message())
	}),
	"a refused growth shows in the size":         staysGrown(),
	"a refused growth takes room":                takesWhenRefused(),
	"capacity is negative after a refusal":       negativeCapacity(),
	"a growth is not taken from capacity":        accounting(always, func(growth int64, _ *csi.Topology) int64 { return growth }),
	"a growth is taken twice":                    accounting(always, func(growth int64, _ *csi.Topology) int64 { return -growth }),
	"a growth is taken from one of two segments": accounting(twice, func(growth int64, in *csi.Topology) int64 { return ifZone(in, "Z3", growth) }),
	"a growth makes capacity negative":           accounting(always, func(int64, *csi.Topology) int64 { return -2 << 30 }),
	"a grown volume moves":                       moves(),
	"volume_context changes with the size":       changesContext(),
	"reports neither accessible_topology nor volume_context": createdIn("pool").And(reporting(func(v *csi.Volume) {
		v.AccessibleTopology, v.VolumeContext = nil, nil
	})),
	"reports no accessible_topology of a grown volume": reporting(func(v *csi.Volume) {
		if v.GetCapacityBytes() == grown {
			v.AccessibleTopology = nil
		}
	}),
	"INTERNAL while another growth is pending": refusesSecond(codes.Internal),
	"ABORTED while another growth is pending":  refusesSecond(codes.Aborted),
	"node_expansion_required is false": growing(func(ctx context.Context, right spectest.Right, r *expandRequest) (*expandResponse, error) {
		response, err := right.ControllerExpandVolume(ctx, r)
		if err == nil {
			response.NodeExpansionRequired = false
		}
		return response, err
	}),
}
