// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// invalidAnswers returns drivers with a field that is invalid in any answer, under a condition that does not occur in the
// cases about the field.
func invalidAnswers() map[string]mutation.Expectation {
	invalid := func(fault mutation.Fault, clause, passing string) mutation.Expectation {
		return whole(mutation.Driver{Fault: fault}, mutation.Fails("run_answers_valid", clause), mutation.Passes(passing))
	}
	long := strings.Repeat("x", 5<<10)
	return map[string]mutation.Expectation{
		"the health of the storage names a problem for each volume that is staged": invalid(problemOfEach(), "NV-07", "health_of_storage combinations_file_system"),
		"a volume is staged already if another is, at a path with the same last element": whole(mutation.Driver{Fault: stagedByName()},
			mutation.Fails("run_answers_valid", "NS-05"), mutation.Errs("unstage_leaves_neighbour")),
		"vendor_version is missing while a volume is created":       invalid(unversioned(), "GI-02", "identity_version volumes_at_once"),
		"VolumeExpansion is OFFLINE while a block volume is staged": invalid(claimingByVolumes(), "PC-01", "identity_capabilities volumes_at_once"),
		"volume_context of a restored volume has 5 KiB": invalid(restoring(func(v *csi.Volume) { v.VolumeContext = map[string]string{"from": long} }).And(mutation.WithoutContext()),
			"GEN-04", "restore_again limits_of_answers"),
		"publish_context for a reader has 5 KiB": invalid(mutation.Answering(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
			if r.GetReadonly() {
				response.PublishContext = map[string]string{"portals": long}
			}
		}), "GEN-04", "attach_read_only limits_of_answers"),
		"volume_id of a clone has more than 128 bytes": invalid(longIDs(), "GEN-04", "clone_again limits_of_answers").Seen("csi-driver-nfs d3b27c00"),
		"snapshot_id of a listed snapshot has more than 128 bytes": whole(mutation.Driver{Fault: mutation.Answering(func(r *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
			for _, entry := range response.GetEntries() {
				if r.GetSnapshotId() == "" && r.GetSourceVolumeId() == "" {
					entry.Snapshot.SnapshotId += long[:128]
				}
			}
		})}, mutation.Fails("run_answers_valid", "GEN-04"), mutation.Fails("snapshot_outlives_volume", "DV-03")),
		"an id in published_node_ids has 300 bytes while a volume is on two nodes": invalid(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			if len(entry.GetStatus().GetPublishedNodeIds()) > 1 {
				entry.Status.PublishedNodeIds = append(entry.Status.PublishedNodeIds, long[:300])
			}
		}), "GEN-04", "attach_multi_writer"),
		"capacity_bytes of a volume that grew is negative in a list": invalid(afterGrowth(func(v *csi.Volume) { v.CapacityBytes = -v.GetCapacityBytes() }),
			"VOL-02", "grow_keeps_topology"),
		"maximum_volume_size for devices is negative": whole(mutation.Driver{Fault: mutation.Answering(func(r *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
			for _, capability := range r.GetVolumeCapabilities() {
				if capability.GetBlock() != nil {
					response.MaximumVolumeSize = wrapperspb.Int64(-1)
				}
			}
		})},
			mutation.Fails("run_answers_valid", "CAP-17"), mutation.Fails("capacity_for_capabilities", "CAP-02"), mutation.Passes("capacity_never_negative")),
		"available is negative where a volume is staged": invalid(mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
			for _, usage := range response.GetUsage() {
				if r.GetVolumePath() == r.GetStagingTargetPath() {
					usage.Available = -1
				}
			}
		}), "NV-03", "stats_usage"),
		"volume_id is missing in ListVolumes while a volume is attached": invalid(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			if len(entry.GetStatus().GetPublishedNodeIds()) > 0 {
				entry.Volume.VolumeId = ""
			}
		}), "VOL-03", "attach_multi_writer"),
		"creation_time is missing in ListSnapshots": invalid(listingSnapshots(func(s *csi.Snapshot) { s.CreationTime = nil }), "SN-03", "snapshot_again"),
		"creation_time is that of year 1 when CreateSnapshot is repeated": whole(mutation.Driver{Fault: mutation.Again((*csi.CreateSnapshotRequest).GetName, mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
			response.Snapshot.CreationTime = timestamppb.New(time.Time{})
		}))},
			mutation.Fails("run_answers_valid", "SN-03"), mutation.Fails("snapshot_again", "CS-03")).Seen("vsphere-csi-driver bf8090256"),
		"source_volume_id is missing once the volume is deleted": invalid(orphaned(), "SN-02", "snapshot_outlives_volume"),
		"a restored volume is in a topology with a value of 64 characters": invalid(restoring(func(v *csi.Volume) {
			for _, topology := range v.GetAccessibleTopology() {
				topology.Segments["topology.hostpath.topo.csi/rack"] = long[:64]
			}
		}), "TO-10", "restore_again topology_values"),
		"a restored volume is in a topology with a key of another prefix": invalid(restoring(func(v *csi.Volume) {
			for _, topology := range v.GetAccessibleTopology() {
				topology.Segments["storage.example.com/rack"] = "R3"
			}
		}), "TO-06", "restore_again topology_one_prefix"),
		"status is missing in ControllerGetVolume of a volume that grew": invalid(withoutStatus(), "LV-19", "grow_again"),
		"volume_context is another one in ListVolumes while a volume is attached": invalid(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
			v.VolumeContext = map[string]string{"pool": "a"}
		}).And(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			if len(entry.GetStatus().GetPublishedNodeIds()) > 0 {
				entry.Volume.VolumeContext = map[string]string{"pool": "b"}
			}
		})).And(mutation.WithoutContext()), "VOL-12", "list_volumes_published_nodes"),
		"creation_time is that of the list in ListSnapshots with max_entries": invalid(mutation.Answering(func(r *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
			for _, entry := range response.GetEntries() {
				if r.GetMaxEntries() > 0 {
					entry.Snapshot.CreationTime = timestamppb.New(time.Now().Add(time.Hour))
				}
			}
		}), "LS-01", "snapshots_paged"),
		"a volume is answered in a zone that requisite of one topology lacks": invalid(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			for _, topology := range v.GetAccessibleTopology() {
				if len(r.GetAccessibilityRequirements().GetRequisite()) == 1 {
					topology.Segments["topology.hostpath.topo.csi/zone"] = "Z9"
				}
			}
		}), "TR-04", "stats_usage"),
		"a volume from a source is twice on a page": whole(mutation.Driver{Fault: listingTwice()},
			mutation.Warns("run_answers_valid", "LV-01"), mutation.Passes("restore_volume")),
	}
}

// restoring makes a driver that describes volumes from snapshots differently.
func restoring(change func(*csi.Volume)) mutation.Fault {
	return mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		if r.GetVolumeContentSource().GetSnapshot() != nil {
			change(v)
		}
	})
}

func longIDs() mutation.Fault {
	tail := strings.Repeat("-", 128)
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		request := proto.Clone(call.Request)
		m := request.ProtoReflect()
		if field := m.Descriptor().Fields().ByName("volume_id"); field != nil {
			m.Set(field, protoreflect.ValueOfString(strings.TrimSuffix(m.Get(field).String(), tail)))
		}
		response, err := call.With(request).Perform(ctx)
		if created, is := response.(*csi.CreateVolumeResponse); is && err == nil && call.Request.(*csi.CreateVolumeRequest).GetVolumeContentSource().GetVolume() != nil {
			created.Volume.VolumeId += tail
		}
		return response, err
	})
}

// growing makes a driver that records the volumes that grew.
func growing(grown *sync.Map) mutation.Fault {
	return mutation.OnOK(func(r *csi.ControllerExpandVolumeRequest) { grown.Store(r.GetVolumeId(), true) })
}

func afterGrowth(change func(*csi.Volume)) mutation.Fault {
	var grown sync.Map
	return growing(&grown).And(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
		if _, found := grown.Load(entry.GetVolume().GetVolumeId()); found {
			change(entry.GetVolume())
		}
	}))
}

func withoutStatus() mutation.Fault {
	var grown sync.Map
	return growing(&grown).And(mutation.Answering(func(r *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
		if _, found := grown.Load(r.GetVolumeId()); found {
			response.Status = nil
		}
	}))
}

func listingSnapshots(change func(*csi.Snapshot)) mutation.Fault {
	return mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
		for _, entry := range response.GetEntries() {
			change(entry.GetSnapshot())
		}
	})
}

func orphaned() mutation.Fault {
	var deleted sync.Map
	return mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		deleted.Store(r.GetVolumeId(), true)
	}).And(listingSnapshots(func(s *csi.Snapshot) {
		if _, gone := deleted.Load(s.GetSourceVolumeId()); gone {
			s.SourceVolumeId = ""
		}
	}))
}

func listingTwice() mutation.Fault {
	var copies sync.Map
	return mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		if r.GetVolumeContentSource() != nil {
			copies.Store(v.GetVolumeId(), true)
		}
	}).And(mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		for _, entry := range response.GetEntries() {
			if _, found := copies.Load(entry.GetVolume().GetVolumeId()); found {
				response.Entries = append(response.Entries, entry)
			}
		}
	}))
}

func unversioned() mutation.Fault {
	const while = 50 * time.Millisecond
	var creating atomic.Int64
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		creating.Add(1)
		defer creating.Add(-1)
		<-time.After(while)
		return right.CreateVolume(ctx, r)
	}).And(mutation.Answering(func(_ *csi.GetPluginInfoRequest, response *csi.GetPluginInfoResponse) {
		if creating.Load() > 0 {
			response.VendorVersion = ""
		}
	}))
}

func claimingByVolumes() mutation.Fault {
	var devices sync.Map
	return mutation.OnOK(func(r *csi.NodeStageVolumeRequest) {
		if r.GetVolumeCapability().GetBlock() != nil {
			devices.Store(r.GetVolumeId(), true)
		}
	}).And(mutation.OnOK(func(r *csi.NodeUnstageVolumeRequest) { devices.Delete(r.GetVolumeId()) })).
		And(mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
			for range devices.Range {
				for _, c := range response.GetCapabilities() {
					if c.GetVolumeExpansion() != nil {
						c.GetVolumeExpansion().Type = csi.PluginCapability_VolumeExpansion_OFFLINE
					}
				}
			}
		}))
}

func stagedByName() mutation.Fault {
	var mu sync.Mutex
	staged := map[string]string{} // volume_id by the last element of the path
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		name := path.Base(r.GetStagingTargetPath())
		if other, taken := staged[name]; taken && other != r.GetVolumeId() {
			return nil, status.Errorf(codes.AlreadyExists, "a volume is staged at %s", name)
		}
		response, err := right.NodeStageVolume(ctx, r)
		if err == nil {
			staged[name] = r.GetVolumeId()
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		response, err := right.NodeUnstageVolume(ctx, r)
		if err == nil {
			delete(staged, path.Base(r.GetStagingTargetPath()))
		}
		return response, err
	}))
}

func problemOfEach() mutation.Fault {
	var staged atomic.Int64
	return mutation.Answering(func(_ *csi.NodeGetStorageHealthRequest, response *csi.NodeGetStorageHealthResponse) {
		for range staged.Load() {
			response.BackendHealth = append(response.BackendHealth, &csi.NodeGetStorageHealthResponse_StorageBackendHealth{
				Status: csi.StorageHealthErrorType_STORAGE_DEGRADED, Reason: "a path is down",
			})
		}
	}).And(mutation.Answering(func(*csi.NodeStageVolumeRequest, *csi.NodeStageVolumeResponse) { staged.Add(1) })).
		And(mutation.Answering(func(*csi.NodeUnstageVolumeRequest, *csi.NodeUnstageVolumeResponse) { staged.Add(-1) }))
}
