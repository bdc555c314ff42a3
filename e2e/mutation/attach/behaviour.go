// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	publishRequest    = csi.ControllerPublishVolumeRequest
	publishResponse   = csi.ControllerPublishVolumeResponse
	unpublishRequest  = csi.ControllerUnpublishVolumeRequest
	unpublishResponse = csi.ControllerUnpublishVolumeResponse
	question          = csi.ValidateVolumeCapabilitiesRequest
	answer            = csi.ValidateVolumeCapabilitiesResponse
)

// placed is a volume on a node.
type placed struct{ volume, node string }

// limitOf makes a driver whose nodes say that they take so many volumes.
func limitOf(volumes int64) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		response.MaxVolumesPerNode = volumes
	})
}

// onNodes follows which volumes are on which nodes, and has a call end another way by that.
func onNodes(publish func(on map[placed]bool, p placed) error, unpublish func(on map[placed]bool, p placed) error) mutation.Fault {
	on := map[placed]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		p := placed{r.GetVolumeId(), r.GetNodeId()}
		if err := publish(on, p); err != nil {
			return nil, err
		}
		response, err := right.ControllerPublishVolume(ctx, r)
		if err == nil {
			on[p] = true
		}
		return response, err
	}).And(mutation.Checking(func(r *unpublishRequest) error {
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
