// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// faults returns drivers that are wrong in one way each, except the detachFaults.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"takes its own node for the only one": mutation.Wide(
			mutation.RefusingSome(codes.NotFound, "the node is not this one", func(r *publishRequest) bool {
				return r.GetNodeId() != "" && r.GetNodeId() != "node-1"
			}), mutation.Fails("attach_every_node", "CP-03"),
			mutation.Fails("detach_from_all detach_one_of_two detach_second_of_two detach_two_at_once", "CV-12")),
		"publishes to nodes out of reach": mutation.Wrong(publishesIfPublished(false),
			mutation.Fails("attach_out_of_reach", "CP-12")),
		"takes a repetition for a contradiction": mutation.Wrong(onNodes(func(on map[placed]bool, p placed) error {
			if on[p] {
				return status.Error(codes.AlreadyExists, "the volume is published")
			}
			return nil
		}, anyway), mutation.Fails("attach_limit attach_same_node_again attach_read_only attach_again_read_only", "CP-05"),
			mutation.Errs("attach_second_node")),
		"publish_context changes": mutation.Wrong(changingContext(), mutation.Errs("attach_read_only_published"),
			mutation.Fails("attach_limit attach_same_node_again attach_read_only attach_again_read_only", "CP-22")).Seen("ibm-vpc-block-csi-driver eb450134"),
		"ignores readonly": mutation.Wrong(ignoresReadonly(),
			mutation.Fails("attach_read_only attach_again_read_only", "CP-33"), mutation.Fails("attach_single_writer", "CV-12")),
		"does not publish read-only": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "readonly is not supported", func(r *publishRequest) bool {
				return r.GetReadonly()
			}), mutation.Errs("attach_read_only_published"),
			mutation.Fails("attach_read_only attach_read_only_protects", "CP-14"),
			mutation.Fails("attach_again_read_only", "CP-33"),
			mutation.Fails("attach_single_writer attach_multi_reader", "CV-12")),
		"FAILED_PRECONDITION for an incompatible request": mutation.Wrong(
			mutation.Recoding[*publishRequest](codes.AlreadyExists, codes.FailedPrecondition),
			mutation.Fails("attach_read_only attach_again_read_only attach_again_other_mode", "CP-33")),
		"publishes a single-node volume to a second node": mutation.Wrong(publishesIfPublished(true),
			mutation.Fails("attach_out_of_reach", "CP-12"),
			mutation.Warns("attach_single_node_beside attach_single_writer_beside attach_single_writer", "CP-11"),
			mutation.Warns("attach_second_node attach_second_reader", "CP-34")),
		"publishes a single-node volume to a second node, and confirms no other mode": mutation.Wrong(
			publishesIfPublished(true).And(confirmsOneMode()), mutation.Fails("attach_out_of_reach", "CP-12"),
			mutation.Warns("attach_single_node_beside attach_single_writer_beside attach_single_writer", "CP-11"),
			mutation.Fails("attach_second_node attach_second_reader", "CP-34")),
		"does not say where the volume is": mutation.Wrong(
			mutation.Ending(func(_ *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
				if status.Code(err) == codes.FailedPrecondition {
					return nil, status.Error(codes.FailedPrecondition, "the volume is in use")
				}
				return response, err
			}), mutation.Warns("attach_second_node attach_second_reader", "CP-35")),
		"publishes to a second reader": mutation.Wide(mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
			if status.Code(err) == codes.FailedPrecondition && r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY {
				return &publishResponse{}, nil
			}
			return response, err
		}).And(confirmsOneMode()), mutation.Fails("attach_second_reader", "CP-34"), mutation.Passes("attach_second_node")),
		"publishes to a second node after a call that was given up": mutation.Wide(givenUpAnywhere(),
			mutation.Fails("attach_second_node", "CP-34")),
		"confirms several capabilities by the first": mutation.Wide(mutation.On(func(ctx context.Context, right mutation.Right, r *question) (*answer, error) {
			all := r.GetVolumeCapabilities()
			r.VolumeCapabilities = all[:min(1, len(all))]
			response, err := right.ValidateVolumeCapabilities(ctx, r)
			if response.GetConfirmed() != nil {
				response.Confirmed.VolumeCapabilities = all
			}
			return response, err
		}), mutation.Fails("validate_unknown_mode", "VV-01")),
		"publishes to one node whatever the access mode": mutation.Wrong(onNodes(func(on map[placed]bool, p placed) error {
			for other := range on {
				if other.volume == p.volume && other.node != p.node {
					return status.Errorf(codes.FailedPrecondition, "the volume is on %s", other.node)
				}
			}
			return nil
		}, anyway),
			mutation.Fails("attach_multi_writer attach_multi_writer_block attach_multi_reader attach_single_writer", "CV-12"),
			mutation.Fails("detach_from_all detach_one_of_two detach_second_of_two detach_two_at_once", "CV-12")),
		"creates volumes in Z3 only": mutation.Wide(mutation.In("Z3"), mutation.Skips("attach_limit", suite.ByEnvironment)),
		"takes more volumes than max_volumes_per_node": mutation.Wrong(limitOf(mutation.MaxVolumesPerNode/2),
			mutation.Warns("attach_limit", "CP-36")),
		"takes fewer volumes than max_volumes_per_node": mutation.Wrong(limitOf(mutation.MaxVolumesPerNode+1),
			mutation.Warns("attach_limit", "CP-29")),
		"max_volumes_per_node is less by each volume that the node has": mutation.Wrong(countsDown(), mutation.Fails("attach_limit", "NI-12")),
		"FAILED_PRECONDITION for a node that is full": mutation.Wrong(
			mutation.Recoding[*publishRequest](codes.ResourceExhausted, codes.FailedPrecondition),
			mutation.Fails("attach_limit", "CP-36")),
		"a node that was full has no room when it might":  mutation.Wrong(staysFull(), mutation.Fails("attach_limit", "CP-36")),
		"a node that is full has no room for what it has": mutation.Wrong(refusesAllWhenFull(), mutation.Fails("attach_limit", "CP-05")),
		"publish_context has the position on the node":    mutation.Wrong(tellsPositions(), mutation.Fails("attach_limit", "CP-22")),
		"publishes what does not exist": mutation.Wrong(mutation.Recoding[*publishRequest](codes.NotFound, codes.OK),
			mutation.Fails("attach_unknown_volume", "CP-31"), mutation.Fails("attach_unknown_node", "CP-32")),
		"publishes a volume to any node once it is published": mutation.Wrong(rememberingAttached(),
			mutation.Fails("attach_unknown_node", "CP-32")),
		"INVALID_ARGUMENT for a volume that does not exist": mutation.Wrong(
			mutation.Recoding[*publishRequest](codes.NotFound, codes.InvalidArgument),
			mutation.Fails("attach_unknown_volume", "CP-31"), mutation.Fails("attach_unknown_node", "CP-32")),
		"publishes with any fields": mutation.Wrong(mutation.Recoding[*publishRequest](codes.InvalidArgument, codes.OK),
			mutation.Warns("attach_unknown_mode", "CP-12")),
		"needs secrets to publish": mutation.Wide(
			mutation.RefusingSome(codes.InvalidArgument, "secrets are required", func(r *publishRequest) bool {
				return len(r.GetSecrets()) == 0 && r.GetVolumeId() != "" && r.GetVolumeCapability().GetAccessMode() != nil
			}), mutation.Fails("attach_every_node", "CP-01"),
			mutation.Errs("attach_same_node_again attach_again_read_only attach_again_other_mode attach_second_node "+
				"detach_again detach_other_node detach_then_other_node detach_from_all detach_one_of_two detach_out_of_reach detach_unknown_node")),
		"needs volume_context": mutation.Wrong(needsContext(), mutation.Errs("attach_read_only_published"),
			mutation.Passes("validate_confirms"), mutation.Warns("attach_without_context", "VOL-11")),
		"confirms nothing": mutation.Wrong(mutation.Answering(func(_ *question, response *answer) {
			response.Confirmed, response.Message = nil, "no"
		}), mutation.Warns("validate_parameters validate_confirms", "VV-01")),
		"validates nothing without parameters": mutation.Expect(mutation.Driver{
			Target: func(t *harness.Target) { t.Profile.Volumes[0].Parameters = map[string]string{"zones": "1"} },
			Fault: mutation.RefusingSome(codes.Internal, "the parameters cannot be read", func(r *question) bool {
				return len(r.GetParameters()) == 0
			}),
		}, mutation.Fails("validate_confirms", "VV-04")).Seen("vultr-csi v0.18.0"),
		"NOT_FOUND for a capability that is not confirmed": mutation.Wrong(
			mutation.Ending(func(_ *question, response *answer, err error) (*answer, error) {
				if err == nil && response.GetConfirmed() == nil {
					err = status.Error(codes.NotFound, "no volume has that capability")
				}
				return response, err
			}), mutation.Fails("validate_unknown_mode", "GEN-12")).Seen("civo-csi 37312dc"),
		"NOT_FOUND for volumes that exist": mutation.Wide(
			mutation.RefusingAll[*question](codes.NotFound, "there is no such volume"),
			mutation.Fails("validate_confirms", "VV-03")),
		"confirms without saying what": mutation.Wrong(mutation.Answering(func(_ *question, response *answer) {
			if response.GetConfirmed() != nil {
				response.Confirmed.VolumeCapabilities = nil
			}
		}), mutation.Fails("validate_confirms", "VV-02")),
		"confirms whatever fields it is asked for": mutation.Wrong(mutation.Answering(func(r *question, response *answer) {
			if confirmed := response.GetConfirmed(); confirmed != nil {
				confirmed.VolumeContext, confirmed.Parameters, confirmed.MutableParameters = r.GetVolumeContext(), r.GetParameters(), r.GetMutableParameters()
			}
		}).Over(mutation.Asking(func(r *question) { r.VolumeContext, r.Parameters, r.MutableParameters = nil, nil, nil })), mutation.Warns("validate_parameters validate_unknown_fields", "VV-01")),
		"cannot use what is attached read-only": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, "the device cannot be written to", func(r *csi.NodeStageVolumeRequest) bool {
				return r.GetPublishContext()["readonly"] == "true"
			}), mutation.Warns("attach_read_only_published", "CP-14")),
		"UNAVAILABLE while the volume is published to another node": mutation.Wide(
			mutation.Recoding[*publishRequest](codes.FailedPrecondition, codes.Unavailable),
			mutation.Fails("attach_second_node", "CP-34")).Seen("civo-csi 37312dc"),
		"ABORTED while the volume is published to another node": mutation.Wide(
			mutation.Recoding[*publishRequest](codes.FailedPrecondition, codes.Aborted),
			mutation.Fails("attach_second_node", "CP-34")),
		"confirms any capability": mutation.Wrong(mutation.Instead(func(r *question) *answer {
			return &answer{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}}
		}), mutation.Warns("validate_unknown_mode", "VV-01"), mutation.Fails("validate_unknown_volume", "VV-03")),
	}
}

func givenUpAnywhere() mutation.Fault {
	var given sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		if !mutation.InTime(ctx) {
			given.Store(r.GetVolumeId(), true)
		}
		response, err := right.ControllerPublishVolume(ctx, r)
		if _, was := given.Load(r.GetVolumeId()); was && status.Code(err) == codes.FailedPrecondition {
			return &publishResponse{}, nil
		}
		return response, err
	})
}

func ignoresReadonly() mutation.Fault {
	return mutation.Asking(func(r *publishRequest) { r.Readonly = false })
}

// changingContext makes a driver that counts its publications in their context.
func changingContext() mutation.Fault {
	count := 0
	return mutation.Answering(func(_ *publishRequest, response *publishResponse) {
		count++
		response.PublishContext = map[string]string{"count": fmt.Sprint(count)}
	})
}

// countsDown makes a driver that subtracts the volumes that are attached to a node from its limit, and staged volumes once
// more.
func countsDown() mutation.Fault {
	attached, staged := map[placed]bool{}, map[string]bool{}
	return mutation.OnOK(func(r *publishRequest) { attached[placed{r.GetVolumeId(), r.GetNodeId()}] = true }).
		And(mutation.OnOK(func(r *unpublishRequest) { delete(attached, placed{r.GetVolumeId(), r.GetNodeId()}) })).
		And(mutation.OnOK(func(r *csi.NodeStageVolumeRequest) { staged[r.GetVolumeId()] = true })).
		And(mutation.OnOK(func(r *csi.NodeUnstageVolumeRequest) { delete(staged, r.GetVolumeId()) })).
		And(mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
			for p := range attached {
				if p.node == response.GetNodeId() {
					response.MaxVolumesPerNode--
				}
				if p.node == response.GetNodeId() && staged[p.volume] {
					response.MaxVolumesPerNode--
				}
			}
		}))
}

// staysFull makes a driver whose node, once full, has no room until two volumes are detached.
func staysFull() mutation.Fault {
	const needed = 2
	missing := map[string]int{}
	return onNodes(func(on map[placed]bool, p placed) error {
		if missing[p.node] > 0 && !on[p] {
			return status.Error(codes.ResourceExhausted, "the node is full")
		}
		return nil
	}, func(_ map[placed]bool, p placed) error {
		missing[p.node]--
		return nil
	}).Over(mutation.InsteadOf(codes.ResourceExhausted, func(_ context.Context, _ mutation.Right, r *publishRequest, refused error) (*publishResponse, error) {
		missing[r.GetNodeId()] = needed
		return nil, refused
	}))
}

// refusesAllWhenFull makes a driver that refuses every publication once a node is full, until a volume is unpublished from it.
func refusesAllWhenFull() mutation.Fault {
	full := map[string]bool{}
	return mutation.RefusingSome(codes.ResourceExhausted, "the node is full", func(r *publishRequest) bool { return full[r.GetNodeId()] }).
		Over(mutation.InsteadOf(codes.ResourceExhausted, func(_ context.Context, _ mutation.Right, r *publishRequest, refused error) (*publishResponse, error) {
			full[r.GetNodeId()] = true
			return nil, refused
		})).And(mutation.Asking(func(r *unpublishRequest) { full[r.GetNodeId()] = false })).Serially()
}

func tellsPositions() mutation.Fault {
	const position = "position"
	on := map[string][]string{} // volumes, by node
	return mutation.Answering(func(r *publishRequest, response *publishResponse) {
		if !slices.Contains(on[r.GetNodeId()], r.GetVolumeId()) {
			on[r.GetNodeId()] = append(on[r.GetNodeId()], r.GetVolumeId())
		}
		response.PublishContext = map[string]string{position: fmt.Sprint(slices.Index(on[r.GetNodeId()], r.GetVolumeId()))}
	}).And(mutation.OnOK(func(r *unpublishRequest) {
		for node := range on {
			if r.GetNodeId() == "" || r.GetNodeId() == node {
				on[node] = slices.DeleteFunc(on[node], func(id string) bool { return id == r.GetVolumeId() })
			}
		}
	})).And(mutation.Asking(func(r *csi.NodeStageVolumeRequest) { r.PublishContext = nil })).
		And(mutation.Asking(func(r *csi.NodePublishVolumeRequest) { r.PublishContext = nil })).Serially()
}

// needsContext makes a driver that finds its volumes by their context.
func needsContext() mutation.Fault {
	missing := status.Error(codes.InvalidArgument, "volume_context does not say which pool the volume is in")
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		v.VolumeContext = map[string]string{"pool": "1"}
	}).And(mutation.Checking(func(r *publishRequest) error {
		if len(r.GetVolumeContext()) == 0 {
			return missing
		}
		r.VolumeContext = nil
		return nil
	})).And(mutation.Checking(func(r *question) error {
		if len(r.GetVolumeContext()) == 0 && r.GetVolumeId() != "" {
			return missing
		}
		r.VolumeContext = nil
		return nil
	}))
}

// publishesIfPublished makes a driver that publishes a volume where it should refuse to: a published volume to a second
// node, or an unpublished one to a node that it is not accessible from.
func publishesIfPublished(published bool) mutation.Fault {
	return mutation.InsteadOf(codes.FailedPrecondition, func(ctx context.Context, right mutation.Right, r *publishRequest, refused error) (*publishResponse, error) {
		volume, err := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
		if is := len(volume.GetStatus().GetPublishedNodeIds()) > 0; err != nil || is != published {
			return nil, refused
		}
		return &publishResponse{}, nil
	})
}

// rememberingAttached makes a driver that checks whether a volume is published before it checks whether the node exists.
func rememberingAttached() mutation.Fault {
	published := map[string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		response, err := right.ControllerPublishVolume(ctx, r)
		if published[r.GetVolumeId()] && status.Code(err) == codes.NotFound {
			return &publishResponse{}, nil
		}
		published[r.GetVolumeId()] = published[r.GetVolumeId()] || err == nil
		return response, err
	}).And(mutation.OnOK(func(r *unpublishRequest) { delete(published, r.GetVolumeId()) }))
}

func confirmsOneMode() mutation.Fault {
	return mutation.Where(func(r *question) bool {
		return slices.ContainsFunc(r.GetVolumeCapabilities(), func(c *csi.VolumeCapability) bool {
			return c.GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
		})
	}, mutation.Instead(func(*question) *answer { return &answer{Message: "only SINGLE_NODE_WRITER is confirmed"} }))
}
