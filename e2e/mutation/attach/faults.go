// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faults are drivers that are wrong in one way each, but for those of detachFaults.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"takes its own node for the only one": mutation.Checking(func(r *csi.ControllerPublishVolumeRequest) error {
			if strings.HasPrefix(r.GetNodeId(), "node-") && r.GetNodeId() != "node-1" {
				return status.Errorf(codes.NotFound, "node %q is not this one", r.GetNodeId())
			}
			return nil
		}),
		"publishes to nodes out of reach": publishes(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
			if strings.Contains(status.Convert(err).Message(), "is accessible from") {
				return &csi.ControllerPublishVolumeResponse{}, nil
			}
			return response, err
		}),
		"takes a repetition for a contradiction": onNodes(func(on map[placed]bool, p placed) error {
			if on[p] {
				return status.Error(codes.AlreadyExists, "the volume is published")
			}
			return nil
		}, anyway),
		"publish_context changes": changingContext(),
		"ignores readonly":        mutation.Asking(func(r *csi.ControllerPublishVolumeRequest) { r.Readonly = false }),
		"does not publish read-only": mutation.RefusingSome(codes.InvalidArgument, "readonly is not supported", func(r *csi.ControllerPublishVolumeRequest) bool {
			return r.GetReadonly()
		}),
		"FAILED_PRECONDITION for an incompatible request":                             refusesWith(codes.FailedPrecondition, codes.AlreadyExists),
		"publishes a single-node volume to a second node":                             publishesToSecondNode(),
		"publishes a single-node volume to a second node, and confirms no other mode": publishesToSecondNode().And(mutation.On(confirmOneMode)),
		"does not say where the volume is": publishes(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
			if status.Code(err) == codes.FailedPrecondition {
				return nil, status.Error(codes.FailedPrecondition, "the volume is in use")
			}
			return response, err
		}),
		"publishes to one node whatever the access mode": onNodes(func(on map[placed]bool, p placed) error {
			for other := range on {
				if other.volume == p.volume && other.node != p.node {
					return status.Errorf(codes.FailedPrecondition, "the volume is on %s", other.node)
				}
			}
			return nil
		}, anyway),
		"creates volumes in Z3 only":                        inZ3(),
		"takes more volumes than max_volumes_per_node":      limitOf(mutation.MaxVolumesPerNode / 2),
		"takes fewer volumes than max_volumes_per_node":     limitOf(mutation.MaxVolumesPerNode + 1),
		"FAILED_PRECONDITION for a node that is full":       refusesWith(codes.FailedPrecondition, codes.ResourceExhausted),
		"a node that was full has no room when it might":    staysFull(),
		"publishes what does not exist":                     publishesIn(codes.NotFound),
		"INVALID_ARGUMENT for a volume that does not exist": refusesWith(codes.InvalidArgument, codes.NotFound),
		"publishes with any fields":                         publishesIn(codes.InvalidArgument),
		"needs secrets to publish": mutation.RefusingSome(codes.InvalidArgument, "secrets are required", func(r *csi.ControllerPublishVolumeRequest) bool {
			return len(r.GetSecrets()) == 0 && r.GetVolumeId() != "" && r.GetVolumeCapability().GetAccessMode() != nil
		}),
		"needs volume_context": needsContext(),
		"confirms nothing": mutation.Answering(func(_ *csi.ValidateVolumeCapabilitiesRequest, response *csi.ValidateVolumeCapabilitiesResponse) {
			response.Confirmed, response.Message = nil, "no"
		}),
		"confirms without saying what": mutation.Ending(func(_ *csi.ValidateVolumeCapabilitiesRequest, response *csi.ValidateVolumeCapabilitiesResponse, err error) (*csi.ValidateVolumeCapabilitiesResponse, error) {
			if response.GetConfirmed() != nil {
				response.Confirmed.VolumeCapabilities = nil
			}
			return response, err
		}),
		"confirms whatever fields it is asked for": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
			response, err := right.ValidateVolumeCapabilities(ctx, &csi.ValidateVolumeCapabilitiesRequest{VolumeId: r.GetVolumeId(), VolumeCapabilities: r.GetVolumeCapabilities()})
			if confirmed := response.GetConfirmed(); confirmed != nil {
				confirmed.VolumeContext, confirmed.Parameters, confirmed.MutableParameters = r.GetVolumeContext(), r.GetParameters(), r.GetMutableParameters()
			}
			return response, err
		}),
		"cannot use what is attached read-only": mutation.RefusingSome(codes.Internal, "the device cannot be written to", func(r *csi.NodeStageVolumeRequest) bool {
			return r.GetPublishContext()["readonly"] == "true"
		}),
		"confirms any capability": mutation.On(func(_ context.Context, _ mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
			confirmed := &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}
			return &csi.ValidateVolumeCapabilitiesResponse{Confirmed: confirmed}, nil
		}),
	}
}

// changingContext makes a driver that counts its publications in their context.
func changingContext() mutation.Fault {
	count := 0
	return publishes(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
		if err != nil {
			return nil, err
		}
		count++
		return &csi.ControllerPublishVolumeResponse{PublishContext: map[string]string{"count": fmt.Sprint(count)}}, nil
	})
}

// staysFull makes a driver whose node, once it was full, has no room until two volumes are detached.
func staysFull() mutation.Fault {
	const needed = 2
	missing := map[string]int{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		if missing[r.GetNodeId()] > 0 {
			return nil, status.Error(codes.ResourceExhausted, "the node is full")
		}
		response, err := right.ControllerPublishVolume(ctx, r)
		if status.Code(err) == codes.ResourceExhausted {
			missing[r.GetNodeId()] = needed
		}
		return response, err
	}).And(mutation.Asking(func(r *csi.ControllerUnpublishVolumeRequest) { missing[r.GetNodeId()]-- }))
}

// needsContext makes a driver that finds its volumes by their context.
func needsContext() mutation.Fault {
	missing := status.Error(codes.InvalidArgument, "volume_context does not say which pool the volume is in")
	return mutation.Answering(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		response.Volume.VolumeContext = map[string]string{"pool": "1"}
	}).And(mutation.Checking(func(r *csi.ControllerPublishVolumeRequest) error {
		if len(r.GetVolumeContext()) == 0 {
			return missing
		}
		r.VolumeContext = nil
		return nil
	})).And(mutation.Checking(func(r *csi.ValidateVolumeCapabilitiesRequest) error {
		if len(r.GetVolumeContext()) == 0 && r.GetVolumeId() != "" {
			return missing
		}
		r.VolumeContext = nil
		return nil
	}))
}

func publishesToSecondNode() mutation.Fault {
	return publishes(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
		if strings.Contains(status.Convert(err).Message(), "unpublish it there first") {
			return &csi.ControllerPublishVolumeResponse{}, nil
		}
		return response, err
	})
}

func confirmOneMode(ctx context.Context, right mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	for _, capability := range r.GetVolumeCapabilities() {
		if capability.GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER {
			return &csi.ValidateVolumeCapabilitiesResponse{Message: "only SINGLE_NODE_WRITER is confirmed"}, nil
		}
	}
	return right.ValidateVolumeCapabilities(ctx, r)
}

// inZ3 makes a driver that creates volumes in Z3, whatever the request.
func inZ3() mutation.Fault {
	return mutation.Asking(func(r *csi.CreateVolumeRequest) {
		r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{
			{Segments: map[string]string{topology.RegionKey: "R1", topology.ZoneKey: "Z3"}},
		}}
	})
}
