// SPDX-License-Identifier: Apache-2.0

// Package reported has drivers that behave like real drivers in public reports or observations: usually two things that are
// each correct, and wrong together.
package reported

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Drivers returns the faulty drivers.
func Drivers() map[string]mutation.Expectation {
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

		"restores where the snapshot is, and answers the zone that was asked for": mutation.Wide(mutation.Where(func(r *csi.CreateVolumeRequest) bool {
			return r.GetVolumeContentSource() != nil && len(r.GetAccessibilityRequirements().GetRequisite()) > 0
		}, mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			v.AccessibleTopology = slices.Concat(r.GetAccessibilityRequirements().GetPreferred(), r.GetAccessibilityRequirements().GetRequisite())[:1]
		})).Over(mutation.Asking(func(r *csi.CreateVolumeRequest) {
			if r.GetVolumeContentSource() != nil && len(r.GetAccessibilityRequirements().GetRequisite()) > 0 {
				r.AccessibilityRequirements = nil
			}
		})), mutation.Fails("restore_out_of_reach", "TR-04")).Seen("cloud-provider-openstack issues 1945, 3088"),

		"max_volumes_per_node is less by what is attached when the node plugin is started": mutation.ExpectWide(countingAtStart(),
			mutation.Warns("restart_attached", "NI-05")).Seen("aws-ebs-csi-driver issues 1163, 1808, 2796"),
		"says that a volume is detached before it is": mutation.Wide(detachingLate(), mutation.Fails("detach_then_other_node", "CU-10")).Seen("deckhouse sds-replicated-volume issue 655"),
	}
}

func countingAtStart() mutation.Driver {
	const restart = 30 * time.Second
	var mu sync.Mutex
	attached, atStart := map[string]map[string]bool{}, map[string]int64{}
	note := func(node, volume string, is bool) {
		mu.Lock()
		defer mu.Unlock()
		if attached[node] == nil {
			attached[node] = map[string]bool{}
		}
		delete(attached[node], volume)
		if is {
			attached[node][volume] = true
		}
	}
	return mutation.Driver{
		Target: func(t *harness.Target) { t.Timeouts.Restart = restart },
		Fault: mutation.OnOK(func(r *csi.ControllerPublishVolumeRequest) {
			note(r.GetNodeId(), r.GetVolumeId(), true)
		}).And(mutation.OnOK(func(r *csi.ControllerUnpublishVolumeRequest) {
			note(r.GetNodeId(), r.GetVolumeId(), false)
		})).And(mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
			mu.Lock()
			defer mu.Unlock()
			response.MaxVolumesPerNode -= atStart[response.GetNodeId()]
		})),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			if err := process.Stop(); err != nil {
				return err
			}
			mu.Lock()
			for node, volumes := range attached {
				atStart[node] = int64(len(volumes))
			}
			mu.Unlock()
			return process.Start(ctx)
		},
	}
}

func detachingLate() mutation.Fault {
	const after = 300 * time.Millisecond
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		later := context.WithoutCancel(ctx)
		time.AfterFunc(after, func() { _, _ = right.ControllerUnpublishVolume(later, r) })
		return &csi.ControllerUnpublishVolumeResponse{}, nil
	})
}

// renamingSizes makes a driver that uses the capacity_range of the first call for a name for all calls, and answers with
// the requested size of the last call.
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
