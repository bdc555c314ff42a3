// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// faults returns drivers that are wrong in one way each.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"does not implement what it claims": mutation.Wide(mutation.Unimplemented("GetCapacity"),
			mutation.Fails("capacity_answers", "CAP-01"), mutation.Warns("capacity_of_everything", "CAP-03 CAP-05 CAP-09"),
			mutation.Errs("capacity_keeps_up capacity_never_negative capacity_for_capabilities capacity_for_each_kind"),
			mutation.Errs("capacity_with_sidecar_parameters capacity_minimum_is_told capacity_minimum_can_be_had capacity_less_than_minimum"),
			mutation.Errs("capacity_maximum_can_be_had capacity_more_than_maximum capacity_maximum_of_little_room"),
			mutation.Errs(exact+" capacity_after_growth_to_the_limit")),
		"refuses to be asked for nothing in particular": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "no", func(r *question) bool {
				return r.GetAccessibleTopology() == nil && len(r.GetParameters()) == 0
			}), mutation.Warns("capacity_of_everything", "CAP-03 CAP-05 CAP-09"),
			mutation.Warns("capacity_without_topology", "CAP-09")),
		"ignores accessible_topology": mutation.Wide(mutation.Asking(func(r *question) { r.AccessibleTopology = nil }),
			mutation.Fails("capacity_falls_in_its_segment capacity_falls_in_both_segments", "CAP-07"),
			mutation.Fails("capacity_of_unknown_segment", "CAP-07")).Seen("csi-driver-host-path v1.18.0"),
		"ignores parameters": mutation.Wrong(mutation.Asking(func(r *question) { r.Parameters = nil }),
			mutation.Fails("capacity_for_two_segments_needs_both", "CAP-04"),
			mutation.Warns("capacity_for_refused_parameters", "CAP-04")),
		"ignores volume_capabilities": mutation.Wrong(mutation.Asking(func(r *question) { r.VolumeCapabilities = nil }),
			mutation.Warns("capacity_for_unsupported_capabilities", "CAP-02")),
		"looks at one capability only": mutation.Wrong(mutation.Asking(func(r *question) {
			r.VolumeCapabilities = r.VolumeCapabilities[:min(1, len(r.VolumeCapabilities))]
		}), mutation.Warns("capacity_for_unsupported_capabilities", "CAP-02")),
		"NOT_FOUND for a topology that it does not have": mutation.Wrong(
			mutation.RefusingSome(codes.NotFound, "no", func(r *question) bool {
				return mutation.Unknown(r.GetAccessibleTopology())
			}), mutation.Fails("capacity_of_unknown_segment", "GEN-12")),
		"refuses what external-provisioner leaves in parameters": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "no", func(r *question) bool {
				_, found := r.GetParameters()["csi.storage.k8s.io/fstype"]
				return found
			}), mutation.Warns("capacity_with_sidecar_parameters", "CAP-04")),
		"returns 0 without a topology": mutation.Wrong(mutation.Answering(func(r *question, told *answer) {
			if r.GetAccessibleTopology() == nil {
				told.AvailableCapacity = 0
			}
		}), mutation.Warns("capacity_without_topology", "CAP-09")),
		"returns 0 for any capabilities": mutation.Wide(mutation.Answering(func(r *question, told *answer) {
			if len(r.GetVolumeCapabilities()) > 0 {
				told.AvailableCapacity = 0
			}
		}), mutation.Fails("capacity_for_capabilities", "CAP-02"), mutation.Fails("capacity_where_created", "CAP-12")),
		"returns 0 for two zones": mutation.Wide(mutation.Answering(func(r *question, told *answer) {
			if forTwoZones(r) {
				told.AvailableCapacity = 0
			}
		}), mutation.Fails("capacity_for_each_kind", "CAP-04")),
		"returns the room of one zone as the maximum for two": mutation.Wide(mutation.On(func(ctx context.Context, right mutation.Right, r *question) (*answer, error) {
			response, err := right.GetCapacity(ctx, r)
			if err != nil || !forTwoZones(r) {
				return response, err
			}
			one, err := right.GetCapacity(ctx, &question{AccessibleTopology: r.GetAccessibleTopology()})
			response.MaximumVolumeSize = one.GetMaximumVolumeSize()
			return response, err
		}), mutation.Fails("capacity_for_two_segments_needs_both", "CAP-14")),
		"returns negative sizes for two zones": mutation.Wide(mutation.Answering(func(r *question, told *answer) {
			if forTwoZones(r) {
				told.MaximumVolumeSize, told.MinimumVolumeSize = wrapperspb.Int64(-1), wrapperspb.Int64(-1)
			}
		}), mutation.Fails("capacity_never_negative", "CAP-17 CAP-23")),
		"returns a little more each time": mutation.Wide(drifts(), mutation.Fails("capacity_asked_again", "CAP-12")),
		"reports total instead of available": mutation.Wide(mutation.Answering(func(_ *question, told *answer) {
			told.AvailableCapacity, told.MaximumVolumeSize = 1<<30, wrapperspb.Int64(mutation.LargestVolume)
		}), mutation.Fails("capacity_falls_by_volume", "CAP-12"), mutation.Passes("capacity_falls_in_its_segment"),
			mutation.Warns("capacity_of_full_segment", "CAP-18")),
		"an error instead of zero": mutation.Wide(mutation.Ending(func(_ *question, response *answer, err error) (*answer, error) {
			if err == nil && response.GetAvailableCapacity() == 0 {
				err = status.Error(codes.ResourceExhausted, "there is no room")
			}
			return response, err
		}), mutation.Fails("capacity_of_full_segment capacity_after_growth_to_the_limit", "CAP-12"),
			mutation.Fails("capacity_for_two_segments_needs_both", "CAP-12")),
		"its maximum stays when it is full": mutation.Wide(mutation.Answering(func(_ *question, told *answer) {
			told.MaximumVolumeSize = wrapperspb.Int64(mutation.LargestVolume)
		}), mutation.Warns("capacity_of_full_segment capacity_maximum_of_little_room", "CAP-14")),
		"its maximum is a byte too large": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) {
			if told.GetMaximumVolumeSize().GetValue() > 0 {
				told.MaximumVolumeSize.Value++
			}
		}), mutation.Fails("capacity_maximum_can_be_had capacity_maximum_of_little_room", "CAP-14")),
		"its maximum is a byte too small": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) {
			if told.GetMaximumVolumeSize().GetValue() > 0 {
				told.MaximumVolumeSize.Value--
			}
		}), mutation.Fails("capacity_more_than_maximum capacity_maximum_of_little_room", "CAP-14")),
		"does not tell its maximum": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) { told.MaximumVolumeSize = nil }),
			mutation.Warns("capacity_maximum_can_be_had", "CAP-18"),
			mutation.Skips("capacity_more_than_maximum capacity_maximum_of_little_room", suite.ByCapability)),
		"does not tell its minimum": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) { told.MinimumVolumeSize = nil }),
			mutation.Warns("capacity_minimum_is_told", "CAP-24"),
			mutation.Skips("capacity_minimum_can_be_had capacity_less_than_minimum", suite.ByCapability)),
		"returns a minimum of 0": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) {
			told.MinimumVolumeSize = wrapperspb.Int64(0)
		}), mutation.Warns("capacity_minimum_is_told", "CAP-24")),
		"returns too small a minimum": mutation.Wrong(
			mutation.Answering(func(_ *question, told *answer) { told.MinimumVolumeSize.Value-- }),
			mutation.Fails("capacity_minimum_can_be_had", "CAP-20")),
		"returns too large a minimum": mutation.Wrong(
			mutation.Answering(func(_ *question, told *answer) { told.MinimumVolumeSize.Value++ }),
			mutation.Fails("capacity_less_than_minimum", "CAP-20")),
		"INVALID_ARGUMENT instead of OUT_OF_RANGE": mutation.Wrong(
			mutation.Recoding[*csi.CreateVolumeRequest](codes.OutOfRange, codes.InvalidArgument),
			mutation.Fails("capacity_more_than_maximum capacity_less_than_minimum", "CREATE-11")),
		"capacity never changes": mutation.Wide(mutation.Remembering((*question).String),
			mutation.Fails("capacity_falls_by_volume", "CAP-12"), mutation.Passes("capacity_falls_in_its_segment"),
			mutation.Fails("capacity_falls_in_both_segments", "CAP-07")),
		"capacity does not return":   mutation.Wide(keepsCapacity(), mutation.Fails("capacity_returns_with_deletion", "CAP-12")),
		"capacity returns elsewhere": mutation.Wide(returnsElsewhere(), mutation.Fails("capacity_returns_with_deletion", "CAP-12")),
		"capacity returns twice":     mutation.Wide(returnsTwice(), mutation.Fails("capacity_counts_repeats_once", "CAP-12")),
		"counts a volume of two segments in one": mutation.Wrong(counting(func(_ *csi.CreateVolumeRequest, v *csi.Volume) int64 {
			return -v.GetCapacityBytes()
		}, func(v *csi.Volume) []*csi.Topology { return v.GetAccessibleTopology()[1:] }),
			mutation.Fails("capacity_falls_in_both_segments", "CAP-07")),
		"counts every call of a name": mutation.Wrong(countsEveryCall(), mutation.Fails("capacity_counts_repeats_once", "CAP-12")),
		"counts refused volumes":      mutation.Wide(countsRefusals(), mutation.Warns("capacity_more_than_maximum", "CV-07")),
		"goes negative after growth":  mutation.Wide(growsBeyond(), mutation.Fails("capacity_after_growth_to_the_limit", "CAP-13")).Seen("csi-driver-host-path v1.18.0"),
	}
}

func drifts() mutation.Fault {
	var more atomic.Int64
	return mutation.Answering(func(_ *question, told *answer) { told.AvailableCapacity += more.Add(1) })
}

// keepsCapacity returns a driver that does not return the room of a deleted volume, except for volumes so large that no
// room would be left for later cases.
func keepsCapacity() mutation.Fault {
	const large = 100 << 20
	taken, volumes := books{}, map[string]*csi.Volume{}
	return taken.wrong().And(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		volumes[v.GetVolumeId()] = v
	})).And(deleted(func(id string) {
		if v := volumes[id]; v.GetCapacityBytes() < large {
			taken.enter(v, v.GetCapacityBytes())
		}
		delete(volumes, id)
	}))
}

// returnsElsewhere returns a driver that returns the room of a deleted volume to Z3.
func returnsElsewhere() mutation.Fault {
	taken := books{}
	return taken.wrong().And(deleted(func(string) { taken["Z3"]-- }))
}

func returnsTwice() mutation.Fault {
	taken, volumes := books{}, map[string]*csi.Volume{}
	gone := map[string]bool{}
	return taken.wrong().And(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		volumes[v.GetVolumeId()] = v
	})).And(deleted(func(id string) {
		if v := volumes[id]; gone[id] {
			taken.enter(v, -v.GetCapacityBytes())
		}
		gone[id] = true
	}))
}

// counting returns a driver that counts more, or fewer, bytes for some volumes as long as they exist.
func counting(more func(*csi.CreateVolumeRequest, *csi.Volume) int64, in func(*csi.Volume) []*csi.Topology) mutation.Fault {
	taken, undo := books{}, map[string]func(){}
	return taken.wrong().And(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		before, bytes := undo[v.GetVolumeId()], more(r, v)
		counted := &csi.Volume{AccessibleTopology: in(v)}
		taken.enter(counted, bytes)
		undo[v.GetVolumeId()] = func() {
			taken.enter(counted, -bytes)
			if before != nil {
				before()
			}
		}
	})).And(deleted(func(id string) {
		if back := undo[id]; back != nil {
			back()
		}
		delete(undo, id)
	}))
}

func countsEveryCall() mutation.Fault {
	named := map[string]bool{}
	return counting(func(r *csi.CreateVolumeRequest, v *csi.Volume) int64 {
		if !named[r.GetName()] {
			named[r.GetName()] = true
			return 0
		}
		return v.GetCapacityBytes()
	}, (*csi.Volume).GetAccessibleTopology)
}

func countsRefusals() mutation.Fault {
	taken := books{}
	return taken.wrong().And(mutation.Ending(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
		if requisite := r.GetAccessibilityRequirements().GetRequisite(); err != nil {
			taken.enter(&csi.Volume{AccessibleTopology: requisite}, 1)
		}
		return response, err
	}))
}

// growsBeyond returns a driver that grows a volume regardless of the room, and subtracts the growth.
func growsBeyond() mutation.Fault {
	taken, beyond := books{}, map[string]int64{}
	return taken.wrong().And(mutation.Ending(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse, err error) (*csi.ControllerExpandVolumeResponse, error) {
		if status.Code(err) != codes.ResourceExhausted {
			return response, err
		}
		beyond[r.GetVolumeId()]++
		taken["Z2"]++
		return &csi.ControllerExpandVolumeResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, nil
	})).And(deleted(func(id string) {
		taken["Z2"] -= beyond[id]
		delete(beyond, id)
	}))
}
