// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	mib   = 1 << 20
	size  = 16 * mib
	grown = 32 * mib
)

const (
	withoutRoom = "grow_full_segment grow_beyond_room grow_two_zones_one_full"
	invalid     = "grow_empty_range grow_invalid_range grow_unsupported_capability"
	growsAgain  = "grow_again grow_online grow_online_two_nodes grow_block"
	ofCapacity  = "growth_in_one_zone growth_in_both_zones grow_at_once grow_cut_short"
)

// faults returns drivers with one fault each in the controller.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"says that a volume grew, and left it": mutation.Wide(
			mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
				if _, err := sizeOf(ctx, right, r.GetVolumeId()); err != nil || r.GetCapacityRange().GetRequiredBytes() != grown {
					return right.ControllerExpandVolume(ctx, r)
				}
				return &expandResponse{CapacityBytes: grown}, nil
			}), mutation.Fails("grow_again grow_online grow_no_capability grow_block grow_to_smaller grow_cut_short", "CE-13"),
			mutation.Fails("growth_in_one_zone growth_in_both_zones", "CAP-07")),
		"answers with the old size": mutation.Wide(
			mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
				before, _ := sizeOf(ctx, right, r.GetVolumeId())
				response, err := right.ControllerExpandVolume(ctx, r)
				if err == nil {
					response.CapacityBytes = before
				}
				return response, err
			}), mutation.Fails("grow_again grow_online grow_no_capability grow_block grow_limit", "CR-03"),
			mutation.Passes("grow_keeps_topology growth_in_one_zone growth_in_both_zones")),
		"never has room for a growth": mutation.Wrong(
			mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
				_, err := sizeOf(ctx, right, r.GetVolumeId())
				c := r.GetVolumeCapability()
				plain := c == nil || c.GetMount().GetFsType() == "" && c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
				if err != nil || !plain || r.GetCapacityRange().GetRequiredBytes() != grown || r.GetCapacityRange().GetLimitBytes() > 0 {
					return right.ControllerExpandVolume(ctx, r)
				}
				return nil, status.Error(codes.ResourceExhausted, "no space left on device")
			}), mutation.Warns("growth_in_one_zone growth_in_both_zones", "CAP-07"),
			mutation.Skips("grow_again grow_online", suite.ByEnvironment)),
		"needs a volume_capability": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "volume_capability is missing", func(r *expandRequest) bool {
				return r.GetVolumeCapability() == nil
			}), mutation.Warns("grow_no_capability", "CE-12")).Seen("vsphere-csi-driver bf8090256"),
		"takes no limit_bytes for a limit of 0": mutation.Wide(
			mutation.RefusingSome(codes.OutOfRange, "the volume may have 0 bytes at most", func(r *expandRequest) bool {
				return r.GetCapacityRange().GetRequiredBytes() > 0 && r.GetCapacityRange().GetLimitBytes() == 0
			}), mutation.Fails("grow_again", "CE-01")),
		"ignores volume_capability": mutation.Wrong(mutation.Asking(func(r *expandRequest) { r.VolumeCapability = nil }),
			mutation.Warns("grow_unsupported_capability", "CE-16")),
		"ignores volume_capability, and validates nothing": mutation.Wrong(
			mutation.Asking(func(r *expandRequest) { r.VolumeCapability = nil }).And(
				mutation.RefusingAll[*csi.ValidateVolumeCapabilitiesRequest](codes.NotFound, "there is no such volume")),
			mutation.Warns("grow_unsupported_capability", "CE-16")),
		"does not grow block volumes": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, "resize2fs: bad magic number", func(r *expandRequest) bool {
				return r.GetVolumeCapability().GetBlock() != nil
			}), mutation.Fails("grow_block grow_node_expansion_block", "CE-01")),
		"claims ONLINE, and refuses published volumes": mutation.Wrong(onlyUnpublished(codes.FailedPrecondition),
			mutation.Fails("grow_online grow_online_two_nodes", "PC-07")),
		"claims ONLINE, and fails for published volumes": mutation.Wrong(onlyUnpublished(codes.Internal),
			mutation.Fails("grow_online grow_online_two_nodes", "PC-07")),
		"claims ONLINE, and refuses volumes that are published to several nodes": mutation.Wrong(onlyOnOneNode(codes.FailedPrecondition),
			mutation.Fails("grow_online_two_nodes", "PC-07")),
		"claims ONLINE, and fails for volumes that are published to several nodes": mutation.Wrong(onlyOnOneNode(codes.Internal),
			mutation.Fails("grow_online_two_nodes", "PC-07")),
		"claims OFFLINE, and fails for published volumes": mutation.Wrong(
			claim(csi.PluginCapability_VolumeExpansion_OFFLINE).And(onlyUnpublished(codes.Internal)),
			mutation.Fails("grow_published_offline", "CE-18")),
		"claims OFFLINE, and grows published volumes": mutation.Wrong(claim(csi.PluginCapability_VolumeExpansion_OFFLINE),
			mutation.Fails("grow_published_offline", "PC-09"), mutation.Skips("grow_online", suite.ByCapability)),
		"a repeated growth is an error": mutation.Wide(refusesRepeats(),
			mutation.Fails("grow_again grow_at_once grow_cut_short", "CE-02")),
		"a repeated growth is an error, and capacity is not exact": mutation.ExpectWide(mutation.Driver{Target: func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast }, Fault: refusesRepeats()},
			mutation.Fails("grow_again grow_at_once grow_cut_short", "CE-02")).Seen("exoscale-csi-driver v0.34.3"),
		"a repeated growth takes the room again": mutation.Wrong(takesOnRepeat(), mutation.Fails("grow_again", "CE-02"),
			mutation.Fails("grow_to_smaller grow_at_once grow_cut_short", "CAP-07")),
		"a growth that was cut short is added once more when it is repeated": mutation.Wrong(mutation.AddingGivenUp(), mutation.Fails("grow_cut_short", "CR-05")),
		"is stuck once a call was cut short":                                 mutation.Wrong(isStuck(false), mutation.Fails("grow_cut_short", "CE-02")),
		"fails once after a call was cut short":                              mutation.Wrong(isStuck(true), mutation.Warns("grow_cut_short", "GEN-02")),
		"answers no capacity_bytes": mutation.Wide(mutation.Answering(func(_ *expandRequest, response *expandResponse) {
			response.CapacityBytes = 0
		}), mutation.Fails("grow_again grow_online grow_no_capability grow_block grow_limit", "CE-13")),
		"shrinks": mutation.Wrong(mutation.Answering(func(r *expandRequest, response *expandResponse) {
			if required := r.GetCapacityRange().GetRequiredBytes(); required > 0 && response.GetCapacityBytes() > required {
				response.CapacityBytes = required
			}
		}), mutation.Fails("grow_to_smaller grow_block", "CE-13")),
		"shrinks block volumes to more than they had at first": mutation.Wrong(shrinksBlock(), mutation.Fails("grow_block", "CE-13")),
		"a smaller size is out of range": mutation.Wrong(
			mutation.Ending(func(r *expandRequest, response *expandResponse, err error) (*expandResponse, error) {
				if err == nil && response.GetCapacityBytes() > r.GetCapacityRange().GetRequiredBytes() && r.GetCapacityRange().GetLimitBytes() == 0 {
					return nil, status.Error(codes.OutOfRange, "a volume does not shrink")
				}
				return response, err
			}), mutation.Warns("grow_to_smaller grow_block", "CE-03")),
		"the size that it has is out of range": mutation.Wrong(
			mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
				if has, err := sizeOf(ctx, right, r.GetVolumeId()); err == nil && has == r.GetCapacityRange().GetLimitBytes() {
					return nil, status.Error(codes.OutOfRange, "a volume does not shrink")
				}
				return right.ControllerExpandVolume(ctx, r)
			}), mutation.Warns("grow_limit_of_size", "CE-03")),
		"ignores limit_bytes": mutation.Wrong(mutation.Asking(func(r *expandRequest) {
			if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 && limit >= r.GetCapacityRange().GetRequiredBytes() {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: limit + mib}
			}
		}), mutation.Fails("grow_limit_of_size grow_limit grow_limit_only grow_cut_short "+growsAgain, "CR-05"),
			mutation.Fails("grow_limit_below_size", "CE-13")).Seen("csi-driver-host-path v1.18.0"),
		"rounds up past limit_bytes": mutation.Wrong(mutation.Asking(func(r *expandRequest) {
			if odd := r.GetCapacityRange().GetRequiredBytes() % mib; odd > 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: r.GetCapacityRange().GetRequiredBytes() - odd + mib}
			}
		}), mutation.Fails("grow_limit "+growsAgain, "CR-05")),
		"rounds up past limit_bytes what is published":     mutation.Wrong(roundsUp(published), mutation.Fails("grow_online grow_online_two_nodes", "CR-05")),
		"rounds up past limit_bytes what has grown before": mutation.Wrong(roundsUp(grownBefore()), mutation.Fails(growsAgain, "CR-05")),
		"rounds up past limit_bytes what it has snapshots of": mutation.Wrong(roundsUp(func(ctx context.Context, right mutation.Right, id string) bool {
			response, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: id})
			return err == nil && len(response.GetEntries()) > 0
		}), mutation.Fails("grow_again", "CR-05")),
		"rounds down, and does not say so": mutation.Wrong(
			mutation.Where(func(r *expandRequest) bool { return r.GetCapacityRange().GetRequiredBytes()%mib > 0 },
				mutation.Answering(func(r *expandRequest, response *expandResponse) {
					response.CapacityBytes, response.NodeExpansionRequired = r.GetCapacityRange().GetRequiredBytes(), false
				})).
				Over(mutation.Asking(func(r *expandRequest) {
					if r.GetCapacityRange() != nil {
						r.CapacityRange.RequiredBytes -= r.GetCapacityRange().GetRequiredBytes() % mib
					}
				})), mutation.Fails("grow_limit grow_beyond_room "+growsAgain, "CE-13")),
		"grows to its default size for an empty range": mutation.Wrong(mutation.Asking(func(r *expandRequest) {
			if r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() == 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: grown}
			}
		}), mutation.Fails("grow_empty_range", "CR-02")),
		"OK to a limit below the size": mutation.Wrong(
			mutation.InsteadOf(codes.OutOfRange, func(ctx context.Context, right mutation.Right, r *expandRequest, refused error) (*expandResponse, error) {
				if has, err := sizeOf(ctx, right, r.GetVolumeId()); err == nil && r.GetCapacityRange().GetLimitBytes() > 0 {
					return &expandResponse{CapacityBytes: has}, nil
				}
				return nil, refused
			}), mutation.Warns("grow_limit_below_size", "CR-05")),
		"shrinks to limit_bytes": mutation.Wrong(
			mutation.InsteadOf(codes.OutOfRange, func(_ context.Context, _ mutation.Right, r *expandRequest, refused error) (*expandResponse, error) {
				if r.GetCapacityRange().GetLimitBytes() == 0 {
					return nil, refused
				}
				return &expandResponse{CapacityBytes: r.GetCapacityRange().GetLimitBytes()}, nil
			}), mutation.Fails("grow_limit_below_size", "CE-13")),
		"lists the size from before a growth": mutation.Wrong(listsOldSizes(),
			mutation.Fails("grow_again grow_online grow_online_two_nodes grow_cut_short grow_no_capability grow_limit grow_at_once grow_block grow_to_smaller", "CE-13")),
		"limit_bytes alone is invalid": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "required_bytes is missing", func(r *expandRequest) bool {
				return r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() > 0
			}), mutation.Warns("grow_limit_only", "CE-19")),
		"OK to what is invalid": mutation.Wrong(mutation.InsteadOf(codes.InvalidArgument, agree),
			mutation.Warns("grow_empty_range", "CR-02"), mutation.Fails("grow_invalid_range", "CR-05"),
			mutation.Warns("grow_unsupported_capability", "CE-16")),
		"INTERNAL to what is invalid": mutation.Wrong(mutation.Recoding[*expandRequest](codes.InvalidArgument, codes.Internal),
			mutation.Warns("grow_empty_range grow_invalid_range", "GEN-12"),
			mutation.Fails("grow_unsupported_capability", "CE-16")),
		"OK to an unknown volume": mutation.Wrong(mutation.InsteadOf(codes.NotFound, agree),
			mutation.Fails("grow_unknown_volume", "CE-17")),
		"INTERNAL to an unknown volume": mutation.Wrong(
			mutation.Recoding[*expandRequest](codes.NotFound, codes.Internal), mutation.Fails("grow_unknown_volume", "CE-17")),
		"no message with a refusal": mutation.Wrong(
			mutation.Ending(func(_ *expandRequest, response *expandResponse, err error) (*expandResponse, error) {
				if err != nil {
					return nil, status.Error(status.Code(err), "")
				}
				return response, nil
			}), mutation.Fails(withoutRoom+" "+invalid+" grow_unknown_volume grow_limit_below_size", "GEN-15")),
		"INTERNAL without room": mutation.Wrong(whenTooMuch(func(_ context.Context, _ mutation.Right, _ *expandRequest, refused error) (*expandResponse, error) {
			return nil, status.Error(codes.Internal, status.Convert(refused).Message())
		}), mutation.Warns(withoutRoom, "CE-19")),
		"OK without room":                    mutation.Wrong(whenTooMuch(agree), mutation.Fails(withoutRoom, "CE-13")),
		"OUT_OF_RANGE without room":          mutation.Wrong(mutation.Recoding[*expandRequest](codes.ResourceExhausted, codes.OutOfRange), mutation.Passes(withoutRoom)),
		"a refused growth shows in the size": mutation.Wrong(staysGrown(), mutation.Warns(withoutRoom, "CE-13")),
		"a refused growth takes room": mutation.Wrong(takesWhenRefused(func(*expandRequest) int64 { return mib }),
			mutation.Warns("grow_beyond_room", "CAP-07"), mutation.Fails("grow_full_segment grow_two_zones_one_full", "CAP-13")),
		"capacity is negative after a refusal": mutation.Wrong(
			takesWhenRefused(func(r *expandRequest) int64 { return r.GetCapacityRange().GetRequiredBytes() }), mutation.Fails(withoutRoom, "CAP-13")),
		"a growth is not taken from capacity": mutation.Wrong(account(always, func(growth int64, _ *csi.Topology) int64 { return growth }),
			mutation.Fails(ofCapacity, "CAP-07")),
		"a growth is taken twice": mutation.Wrong(account(always, func(growth int64, _ *csi.Topology) int64 { return -growth }),
			mutation.Fails(ofCapacity, "CAP-07")),
		"a growth is taken from one of two segments": mutation.Wrong(
			account(func(v *csi.Volume) bool { return len(v.GetAccessibleTopology()) == 2 }, func(growth int64, in *csi.Topology) int64 { return ifZone(in, "Z3", growth) }),
			mutation.Fails("growth_in_both_zones", "CAP-07")),
		"a growth makes capacity negative": mutation.Wrong(account(always, func(int64, *csi.Topology) int64 { return -2 << 30 }),
			mutation.Fails(ofCapacity+" grow_again grow_to_smaller", "CAP-13")),
		"a grown volume moves": mutation.Wrong(mutation.Describing(func(v *csi.Volume) {
			if v.GetCapacityBytes() == grown {
				v.AccessibleTopology = []*csi.Topology{mutation.Zone("Z5")}
			}
		}), mutation.Fails("grow_keeps_topology", "CV-18")),
		"volume_context changes with the size": mutation.Wrong(mutation.Describing(func(v *csi.Volume) {
			if v.GetCapacityBytes() == grown {
				v.VolumeContext = map[string]string{"bytes": "33554432"}
			}
		}), mutation.Fails("grow_keeps_topology", "VOL-08")),
		"reports neither accessible_topology nor volume_context": mutation.Wrong(
			createdIn("pool").And(mutation.Describing(func(v *csi.Volume) {
				v.AccessibleTopology, v.VolumeContext = nil, nil
			})), mutation.Passes("grow_keeps_topology")),
		"reports no accessible_topology of a grown volume": mutation.Wrong(mutation.Describing(func(v *csi.Volume) {
			if v.GetCapacityBytes() == grown {
				v.AccessibleTopology = nil
			}
		}), mutation.Warns("grow_keeps_topology", "LV-08")),
		"INTERNAL while another growth is pending": mutation.Wrong(mutation.RefusingSecond[*expandRequest](codes.Internal),
			mutation.Warns("grow_at_once", "GEN-02")),
		"ABORTED while another growth is pending": mutation.Wrong(mutation.RefusingSecond[*expandRequest](codes.Aborted), mutation.Passes("grow_at_once")),
		"node_expansion_required is false": mutation.Wrong(mutation.Answering(func(_ *expandRequest, response *expandResponse) {
			response.NodeExpansionRequired = false
		}), mutation.Passes("grow_again grow_block grow_node_expansion"), mutation.Fails("grow_online", "CE-15")),
	}
}
