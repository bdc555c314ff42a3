// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// inventoried simulates a driver that has the room of deleted volumes, but does not report it again during
// a run.
type inventoried struct {
	mu   sync.Mutex
	gone []*csi.Volume
}

func (i *inventoried) fault() mutation.Fault {
	return mutation.On(i.delete).And(mutation.On(i.capacity))
}

func (i *inventoried) delete(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	before, unknown := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
	response, err := right.DeleteVolume(ctx, r)
	if err == nil && unknown == nil {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.gone = append(i.gone, before.GetVolume())
	}
	return response, err
}

// capacity returns the available room less the room of the deleted volumes, and no less than 0.
func (i *inventoried) capacity(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	response, err := right.GetCapacity(ctx, r)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, v := range i.gone {
		in := func(t *csi.Topology) bool {
			return r.GetAccessibleTopology() == nil || mutation.ZoneOf(t) == mutation.ZoneOf(r.GetAccessibleTopology())
		}
		if slices.ContainsFunc(v.GetAccessibleTopology(), in) {
			response.AvailableCapacity = max(0, response.GetAvailableCapacity()-v.GetCapacityBytes())
		}
	}
	if response.GetMaximumVolumeSize() != nil {
		response.MaximumVolumeSize.Value = min(response.GetMaximumVolumeSize().GetValue(), response.GetAvailableCapacity())
	}
	return response, nil
}
