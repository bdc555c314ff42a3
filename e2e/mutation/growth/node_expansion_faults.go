// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// nodeExpansionFaults are drivers that are wrong in node_expansion_required.
func nodeExpansionFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"node_expansion_required is false, and a file system stays small until NodeExpandVolume": mutation.Wide(staysSmall(),
			mutation.Fails("grow_node_expansion grow_online", "CE-15"), mutation.Passes("grow_again grow_block")),
		"node_expansion_required is true, and no node expands volumes": mutation.Wide(mutation.Lacking(csi.NodeServiceCapability_RPC_EXPAND_VOLUME),
			mutation.Warns("grow_node_expansion", "CE-15"), mutation.Passes("grow_again grow_online")),
	}
}

// staysSmall makes a driver whose controller grows devices and says that this is all, while file systems stay as they were
// created until NodeExpandVolume is called.
func staysSmall() mutation.Fault {
	var created, expanded sync.Map
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		created.LoadOrStore(v.GetVolumeId(), v.GetCapacityBytes())
	}).And(mutation.Answering(func(_ *expandRequest, response *expandResponse) {
		response.NodeExpansionRequired = false
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		response, err := right.NodeExpandVolume(ctx, r)
		if err == nil {
			expanded.Store(r.GetVolumeId(), true)
		}
		return response, err
	})).And(mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
		bytes, known := created.Load(r.GetVolumeId())
		if _, done := expanded.Load(r.GetVolumeId()); done || !known {
			return
		}
		for _, usage := range response.GetUsage() {
			if usage.GetUnit() == csi.VolumeUsage_BYTES {
				usage.Total, usage.Available, usage.Used = bytes.(int64), min(usage.GetAvailable(), bytes.(int64)), min(usage.GetUsed(), bytes.(int64))
			}
		}
	}))
}
