// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// nodeExpansionFaults returns drivers that are wrong in node_expansion_required.
func nodeExpansionFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"node_expansion_required is false, and a file system stays small until NodeExpandVolume": mutation.Wide(staysSmall(saysNo(0)),
			mutation.Fails("grow_node_expansion grow_online", "CE-15"), mutation.Passes("grow_again grow_block")),
		"node_expansion_required is false when a growth is repeated before the node has expanded the volume": mutation.Wide(staysSmall(saysNo(1)),
			mutation.Fails("grow_node_expansion", "CE-15"), mutation.Passes("grow_again grow_block")),
		"node_expansion_required is false when the growth of a published volume is repeated": mutation.Wide(mutation.Answering(saysNo(1)),
			mutation.Fails("grow_online", "CE-15"), mutation.Passes("grow_again grow_block grow_node_expansion")),
		"a device that grew while it was detached keeps its size": mutation.Wrong(devicesKeepSize(true),
			mutation.Fails("grow_node_expansion_block", "CR-03")),
		"a device that grew while it was detached keeps its size, and node_expansion_required is false": mutation.Wrong(devicesKeepSize(false),
			mutation.Fails("grow_node_expansion_block", "CE-15")),
		"node_expansion_required is true, and no node expands volumes": mutation.Wide(mutation.Lacking(csi.NodeServiceCapability_RPC_EXPAND_VOLUME),
			mutation.Warns("grow_node_expansion grow_node_expansion_block", "CE-15"), mutation.Passes("grow_again grow_online")),
	}
}

// saysNo answers node_expansion_required true to the given number of growths of a volume, and false to later ones.
func saysNo(after int) func(*expandRequest, *expandResponse) {
	var mu sync.Mutex
	growths := map[string]int{}
	return func(r *expandRequest, response *expandResponse) {
		mu.Lock()
		defer mu.Unlock()
		response.NodeExpansionRequired = growths[r.GetVolumeId()] < after
		growths[r.GetVolumeId()]++
	}
}

// devicesKeepSize makes a driver that resizes devices only where they are attached. required is its answer about other
// devices.
func devicesKeepSize(required bool) mutation.Fault {
	var attached, small sync.Map // small are the sizes of devices that grew otherwise
	return mutation.OnOK(func(r *csi.ControllerPublishVolumeRequest) { attached.Store(r.GetVolumeId(), true) }).
		And(mutation.OnOK(func(r *csi.ControllerUnpublishVolumeRequest) { attached.Delete(r.GetVolumeId()) })).
		And(mutation.On(func(ctx context.Context, right mutation.Right, r *expandRequest) (*expandResponse, error) {
			before, _ := sizeOf(ctx, right, r.GetVolumeId())
			response, err := right.ControllerExpandVolume(ctx, r)
			if _, is := attached.Load(r.GetVolumeId()); err == nil && !is && r.GetVolumeCapability().GetBlock() != nil {
				small.LoadOrStore(r.GetVolumeId(), before)
				response.NodeExpansionRequired = required
			}
			return response, err
		})).
		And(mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
			if bytes, is := small.Load(r.GetVolumeId()); is {
				response.GetUsage()[0].Total = bytes.(int64)
			}
		}))
}

// staysSmall makes a driver whose controller grows devices, while file systems keep their size until NodeExpandVolume is
// called. says sets its answer about that.
func staysSmall(says func(*expandRequest, *expandResponse)) mutation.Fault {
	var created, expanded sync.Map
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		created.LoadOrStore(v.GetVolumeId(), v.GetCapacityBytes())
	}).And(mutation.Answering(says)).And(mutation.OnOK(func(r *nodeExpandRequest) { expanded.Store(r.GetVolumeId(), true) })).And(mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
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
