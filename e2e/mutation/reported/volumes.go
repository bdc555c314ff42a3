// SPDX-License-Identifier: Apache-2.0

package reported

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// ofVolumes returns drivers that are wrong about volumes, their sizes and the lists of them.
func ofVolumes() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"lists no volumes of two topologies": mutation.Wide(mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
			response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *csi.ListVolumesResponse_Entry) bool {
				return len(e.GetVolume().GetAccessibleTopology()) > 1
			})
		}), mutation.Fails("combinations_block combinations_shared", "LV-01")).Seen("gcp-compute-persistent-disk-csi-driver issue 1003"),
		"lists topologies with keys in another letter case": mutation.Wide(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			for _, topology := range entry.GetVolume().GetAccessibleTopology() {
				other := map[string]string{}
				for key, value := range topology.GetSegments() {
					prefix, name, _ := strings.Cut(key, "/")
					other[prefix+"/"+strings.ToUpper(name)] = value
				}
				topology.Segments = other
			}
		}), mutation.Fails("run_answers_valid", "TO-08"), mutation.Passes("size_omitted volume_same_name")),
		"returns no capacity for a kind that it creates": mutation.ExpectWide(mutation.Driver{
			Target: func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast },
			Fault: mutation.Answering(func(r *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
				if len(r.GetParameters()) > 0 {
					response.AvailableCapacity = 0
				}
			}),
		}, mutation.Warns("capacity_for_each_kind", "CAP-04")).Seen("openebs lvm-localpv issues 382, 458, 463"),
		"confirms all capabilities where it supports the first": mutation.Wide(mutation.Answering(func(r *csi.ValidateVolumeCapabilitiesRequest, response *csi.ValidateVolumeCapabilitiesResponse) {
			if response.GetConfirmed() != nil {
				response.Confirmed.VolumeCapabilities = r.GetVolumeCapabilities()
			}
		}).Over(mutation.Asking(func(r *csi.ValidateVolumeCapabilitiesRequest) {
			r.VolumeCapabilities = r.GetVolumeCapabilities()[:min(1, len(r.GetVolumeCapabilities()))]
		})), mutation.Fails("validate_unknown_mode", "VV-01")).Seen("civo-csi 37312dc"),
		"answers a taken name with the size that is asked for": mutation.Wide(renamingSizes(), mutation.Fails("name_taken_larger", "CREATE-06")).Seen("vsphere-csi-driver bf8090256"),
		"says of a volume that it shrinks to required_bytes": mutation.Wide(mutation.Answering(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse) {
			if required := r.GetCapacityRange().GetRequiredBytes(); required > 0 {
				response.CapacityBytes = required
			}
		}), mutation.Fails("grow_to_smaller", "CE-13")).Seen("vsphere-csi-driver bf8090256, csi-driver-nfs d3b27c00"),
		"grows beyond a limit_bytes that is less than required_bytes": mutation.Wide(mutation.Asking(func(r *csi.ControllerExpandVolumeRequest) {
			if wanted := r.GetCapacityRange(); wanted.GetLimitBytes() < wanted.GetRequiredBytes() {
				wanted.LimitBytes = 0
			}
		}), mutation.Fails("grow_invalid_range", "CR-05")).Seen("vsphere-csi-driver bf8090256"),
	}
}

// renamingSizes makes a driver that uses the capacity_range of the first call for a name for every call, and answers
// with the requested size of the last.
func renamingSizes() mutation.Fault {
	var ranges sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		asked := r.GetCapacityRange()
		if first, again := ranges.Load(r.GetName()); again {
			r.CapacityRange = first.(*csi.CapacityRange)
		}
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			_, again := ranges.LoadOrStore(r.GetName(), asked)
			if again && asked.GetRequiredBytes() > 0 {
				response.Volume.CapacityBytes = asked.GetRequiredBytes()
			}
		}
		return response, err
	})
}
