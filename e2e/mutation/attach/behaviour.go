// SPDX-License-Identifier: Apache-2.0

package attach

import (
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

// limitOf makes a driver whose nodes report that they take the given number of volumes.
func limitOf(volumes int64) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		response.MaxVolumesPerNode = volumes
	})
}

// onNodes follows which volumes are on which nodes, and refuses calls by that.
func onNodes(publish, unpublish func(on map[placed]bool, p placed) error) mutation.Fault {
	on := map[placed]bool{}
	return mutation.Checking(func(r *publishRequest) error { return publish(on, placed{r.GetVolumeId(), r.GetNodeId()}) }).
		Over(mutation.OnOK(func(r *publishRequest) { on[placed{r.GetVolumeId(), r.GetNodeId()}] = true })).
		And(mutation.Checking(func(r *unpublishRequest) error {
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
