// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// publishing is a driver with another ControllerPublishVolume.
func publishing(publish func(context.Context, mutation.Right, *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error)) mutation.Fault {
	return mutation.On(publish)
}

// unpublishing is a driver with another ControllerUnpublishVolume.
func unpublishing(unpublish func(context.Context, mutation.Right, *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error)) mutation.Fault {
	return mutation.On(unpublish)
}

// validating is a driver with another ValidateVolumeCapabilities.
func validating(validate func(context.Context, mutation.Right, *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error)) mutation.Fault {
	return mutation.On(validate)
}

// placed is a volume on a node.
type placed struct{ volume, node string }

// publishes makes a driver that publishes as right does, and then has it another way.
func publishes(other func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error)) mutation.Fault {
	return mutation.Ending(other)
}

// publishesIn makes a driver that publishes where right refuses with the code.
func publishesIn(spiteOf codes.Code) mutation.Fault {
	return publishes(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
		if status.Code(err) == spiteOf {
			return &csi.ControllerPublishVolumeResponse{}, nil
		}
		return response, err
	})
}

// refusesWith makes a driver that refuses to publish with another code.
func refusesWith(other codes.Code, insteadOf codes.Code) mutation.Fault {
	return publishes(func(_ *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse, err error) (*csi.ControllerPublishVolumeResponse, error) {
		if status.Code(err) == insteadOf {
			return nil, status.Error(other, status.Convert(err).Message())
		}
		return response, err
	})
}

// limitOf makes a driver whose nodes say that they take so many volumes.
func limitOf(volumes int64) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		response.MaxVolumesPerNode = volumes
	})
}

// onNodes follows which volumes are on which nodes, and has a call end another way by that.
func onNodes(publish func(on map[placed]bool, p placed) error, unpublish func(on map[placed]bool, p placed) error) mutation.Fault {
	on := map[placed]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		p := placed{r.GetVolumeId(), r.GetNodeId()}
		if err := publish(on, p); err != nil {
			return nil, err
		}
		response, err := right.ControllerPublishVolume(ctx, r)
		if err == nil {
			on[p] = true
		}
		return response, err
	}).And(mutation.Checking(func(r *csi.ControllerUnpublishVolumeRequest) error {
		p := placed{r.GetVolumeId(), r.GetNodeId()}
		if err := unpublish(on, p); err != nil {
			return err
		}
		for other := range on {
			if other == p || p.node == "" && other.volume == p.volume {
				delete(on, other)
			}
		}
		return nil
	}))
}

func anyway(map[placed]bool, placed) error { return nil }
