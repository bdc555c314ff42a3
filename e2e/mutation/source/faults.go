// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

const size = 16 << 20

const (
	outOfReach   = "restore_out_of_reach clone_out_of_reach"
	full         = "restore_full_segment clone_full_segment"
	unknown      = "restore_unknown_source clone_unknown_source"
	smaller      = "restore_smaller clone_smaller"
	sameSize     = "restore_same_size clone_same_size"
	larger       = "restore_larger clone_larger"
	largerOnNode = "restore_larger_on_node clone_larger_on_node " + largerDevice
	largerDevice = "restore_larger_device clone_larger_device"
	again        = "restore_again clone_again"
	nameTaken    = "restore_name_taken clone_name_taken"
	countedOnce  = "restore_counted_once clone_counted_once"
	outlives     = "restore_outlives_snapshot clone_outlives_source"
	partly       = "restore_partly_in_reach clone_partly_in_reach"
	inReach      = "restore_in_reach clone_in_reach"
	made         = "restore_volume clone_volume"
	keepsData    = "restore_data clone_data"
	largerData   = "restore_larger_data clone_larger_data"
	independent  = "restore_independent clone_independent"
)

// fromTheFirst makes a driver that clones the first volume of a snapshot for the others, as long as that exists.
func fromTheFirst() mutation.Fault {
	var first sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		source := r.GetVolumeContentSource()
		snapshot := source.GetSnapshot().GetSnapshotId()
		response, err := right.CreateVolume(ctx, r)
		if snapshot == "" {
			return response, err
		}
		if err == nil {
			first.LoadOrStore(snapshot, response.GetVolume().GetVolumeId())
		}
		if id, made := first.Load(snapshot); made && status.Code(err) == codes.NotFound {
			r.VolumeContentSource = messages.FromVolume(id.(string))
			response, err = right.CreateVolume(ctx, r)
			if err == nil {
				response.Volume.ContentSource = source
			}
			return response, err
		}
		return response, err
	})
}

// whereOrphansAre makes a driver that drops the topology requirement for a snapshot whose volume was deleted, if it cannot
// be restored there.
func whereOrphansAre() mutation.Fault {
	var volumes, deleted sync.Map // the volume of a snapshot, and deleted volumes
	return mutation.Answering(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		volumes.Store(response.GetSnapshot().GetSnapshotId(), r.GetSourceVolumeId())
	}).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		deleted.Store(r.GetVolumeId(), true)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		volume, found := volumes.Load(r.GetVolumeContentSource().GetSnapshot().GetSnapshotId())
		if _, orphan := deleted.Load(volume); err != nil && found && orphan {
			r.AccessibilityRequirements = nil
			return right.CreateVolume(ctx, r)
		}
		return response, err
	}))
}

// faults returns drivers that each create a volume from another one or from a snapshot wrongly in one way.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"makes nothing from a source": mutation.Wide(
			copying(mutation.RefusingAll[*createRequest](codes.InvalidArgument, "volume_content_source is not supported")),
			mutation.Fails("restore_volume restore_again restore_name_taken restore_counted_once restore_outlives_snapshot restore_independent", "CS-01"),
			mutation.Fails("restore_data", "DV-03"),
			mutation.Fails("clone_volume clone_again clone_name_taken clone_counted_once clone_outlives_source clone_data clone_independent", "CS-02"),
			mutation.Fails(inReach, "TR-07"), mutation.Fails(partly, "TR-11"), mutation.Fails(larger+" "+largerData, "CV-05")),
		"restores where the snapshot is, once its volume was deleted": mutation.Wide(whereOrphansAre(),
			mutation.Fails("restore_out_of_reach", "TR-04")),
		"does not compare topology where a volume has a source": mutation.Wide(
			copying(mutation.InsteadOf(codes.AlreadyExists, func(ctx context.Context, right mutation.Right, r *createRequest, _ error) (*createResponse, error) {
				r.AccessibilityRequirements = nil
				return right.CreateVolume(ctx, r)
			})), mutation.Fails("restore_again_elsewhere clone_again_elsewhere", "CREATE-06")),
		"takes any requisite topology where the first preferred one does not have the source": mutation.Wide(
			copying(mutation.Asking(func(r *createRequest) {
				required := r.GetAccessibilityRequirements()
				if len(required.GetPreferred()) > 0 && mutation.ZoneOf(required.GetPreferred()[0]) == "Z4" {
					required.Preferred = nil
				}
			})), mutation.Fails("restore_preferring clone_preferring", "PF-03")),
		"makes volumes of a deleted snapshot from the first one that was made of it": mutation.Wide(fromTheFirst(),
			mutation.Fails("restore_outlives_snapshot", "CREATE-05"), mutation.Passes("restore_unknown_source")),
		"a copy is empty": mutation.Wide(hiding(withoutSource),
			mutation.Fails(keepsData+" "+largerData+" "+independent, "VS-02"), mutation.Passes(made+" "+again)),
		"a larger copy is empty": mutation.Wrong(hiding(func(r *createRequest) {
			if r.GetCapacityRange().GetRequiredBytes() > size {
				r.VolumeContentSource = nil
			}
		}), mutation.Fails(largerData, "CV-05"), mutation.Fails(deviceData, "VS-02")),
		"a copy has what was written to the one before it": mutation.Wide(copyingCopies(), mutation.Fails(independent, "VS-02")),
		"what is written to a copy is in the volume it was made of": mutation.Wrong(sharing(),
			mutation.Fails(independent, "VS-02")),
		"restores the last snapshot of a volume, whichever is requested": mutation.Wide(restoringTheLatest(),
			mutation.Fails("restore_independent", "VS-02"), mutation.Passes("restore_data")),
		"all copies of a volume, and of its snapshots, have what the first one has": mutation.Wrong(copyingTheSame(false),
			mutation.Fails(largerData+" restore_device_data", "VS-02"), mutation.Fails(nameTaken, "CREATE-06")),
		"a larger copy of a volume, or of its snapshots, has what the copy before it has": mutation.Wrong(copyingTheSame(true),
			mutation.Fails(largerData, "CV-05"), mutation.Fails("restore_device_data", "VS-02")),
		"a snapshot is cut when its volume is deleted":  mutation.Wrong(cuttingLate(), mutation.Fails("restore_data", "CS-23")),
		"a repeated call copies once more":              mutation.Wrong(copyingAgain(), mutation.Fails(independent, "CV-02")).Seen("democratic-csi 8a4a28a, csi-driver-nfs d3b27c00"),
		"a repeated call takes the snapshot once more":  mutation.Wrong(takingAgain(), mutation.Fails("restore_independent", "CS-03")).Seen("csi-driver-nfs d3b27c00"),
		"says what a volume is made from at first only": mutation.Wrong(onRepeat(mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) { v.ContentSource = nil })), mutation.Warns(again, "VS-01")).Seen("cloudstack-csi-driver 3c9de10"),
		"says no size of snapshots, and passes over limit_bytes": mutation.Wrong(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) { s.SizeBytes = 0 }).And(asking(func(r *createRequest) {
			if r.GetVolumeContentSource().GetSnapshot() != nil && r.GetCapacityRange().GetLimitBytes() > 0 {
				r.CapacityRange.LimitBytes = 0
			}
		})), mutation.Fails("restore_smaller", "CR-05")).Seen("cloudstack-csi-driver 3c9de10"),
		"does not say what a volume is made from": mutation.Wrong(
			answering(func(_ *createRequest, v *csi.Volume) { v.ContentSource = nil }), mutation.Warns(made, "VS-01")),
		"answers with the source itself": mutation.Wide(answering(func(r *createRequest, v *csi.Volume) {
			if id := r.GetVolumeContentSource().GetVolume().GetVolumeId(); id != "" {
				v.VolumeId = id
			}
		}), mutation.Fails("clone_volume", "VOL-04")),
		"is where the source is, whatever the request": mutation.Wrong(
			copying(mutation.Retrying(codes.ResourceExhausted, func(r *createRequest) { r.AccessibilityRequirements = nil })), mutation.Fails(outOfReach, "TR-04")),
		"looks at the first of requisite only": mutation.Wide(asking(func(r *createRequest) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: requisite[:1]}
			}
		}), mutation.Fails(partly, "PF-03")),
		"looks at the first of preferred only": mutation.Wrong(asking(func(r *createRequest) {
			if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(preferred) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: preferred[:1]}
			}
		}), mutation.Fails(partly, "PF-03")),
		"INTERNAL without room": mutation.Wrong(recoding(codes.ResourceExhausted, codes.Internal),
			mutation.Fails(outOfReach, "CREATE-02 CREATE-08"), mutation.Fails(full, "CREATE-02 CREATE-08")),
		"INVALID_ARGUMENT without room": mutation.Wrong(recoding(codes.ResourceExhausted, codes.InvalidArgument),
			mutation.Warns(outOfReach, "CREATE-08"), mutation.Fails(full, "CREATE-02 CREATE-08")),
		"NOT_FOUND without room": mutation.Wrong(recoding(codes.ResourceExhausted, codes.NotFound),
			mutation.Warns(outOfReach, "CREATE-08"), mutation.Fails(full, "CREATE-02 CREATE-08")),
		"no message with a refusal": mutation.Wide(
			copying(mutation.Ending(func(_ *createRequest, response *createResponse, err error) (*createResponse, error) {
				if err != nil {
					return nil, status.Error(status.Code(err), "")
				}
				return response, nil
			})), mutation.Fails(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "GEN-15")),
		"a refused copy leaves a volume": mutation.Wide(leaving(),
			mutation.Warns(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "CV-07")),
		"an unknown source is an empty volume": mutation.Wide(copying(mutation.Retrying(codes.NotFound, withoutSource)),
			mutation.Fails(unknown, "CREATE-05")),
		"INTERNAL for an unknown source": mutation.Wide(recoding(codes.NotFound, codes.Internal),
			mutation.Fails(unknown, "CREATE-05")),
		"a copy has room for a part of its source only": mutation.Wrong(copying(mutation.Retrying(codes.OutOfRange, withoutSource)),
			mutation.Fails("restore_smaller", "CS-11"), mutation.Passes("clone_smaller")),
		"INVALID_ARGUMENT for a source that is too large": mutation.Wrong(recoding(codes.OutOfRange, codes.InvalidArgument),
			mutation.Fails("restore_smaller", "CREATE-11"), mutation.Warns("clone_smaller", "CREATE-11")),
		"INTERNAL for a source that is too large": mutation.Wrong(recoding(codes.OutOfRange, codes.Internal),
			mutation.Fails(smaller, "CREATE-11")),
		"a copy ignores limit_bytes": mutation.Wrong(asking(withoutLimit), mutation.Fails(smaller, "CR-05")),
		"a copy ignores limit_bytes, and does not say how large it is": mutation.Wrong(
			asking(withoutLimit).Over(answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = 0 })),
			mutation.Warns("restore_smaller", "CS-11"), mutation.Passes("clone_smaller")),
		"a snapshot is restored to the usual size where none is asked for": mutation.Wrong(
			answering(func(r *createRequest, v *csi.Volume) {
				if r.GetCapacityRange() == nil {
					v.CapacityBytes = size
				}
			}), mutation.Fails("restore_without_range", "CS-11")),
		"a copy cannot have the size of its source": mutation.Wrong(
			mutation.RefusingSome(codes.OutOfRange, "a copy needs a reserve", func(r *createRequest) bool {
				limit := r.GetCapacityRange().GetLimitBytes()
				return r.GetVolumeContentSource() != nil && limit > 0 && limit == r.GetCapacityRange().GetRequiredBytes()
			}), mutation.Warns(sameSize, "CREATE-11")),
		"a copy has half of required_bytes": mutation.Wide(
			answering(func(r *createRequest, v *csi.Volume) { v.CapacityBytes = r.GetCapacityRange().GetRequiredBytes() / 2 }),
			mutation.Fails(made+" "+again+" "+nameTaken+" "+outlives+" "+countedOnce+" "+keepsData+" "+independent+" "+sameSize+" clone_smaller", "CV-11"),
			mutation.Fails("restore_smaller", "CV-11"), mutation.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05")),
		"says that a copy is as small as was asked for": mutation.Wrong(
			answering(func(r *createRequest, v *csi.Volume) { v.CapacityBytes = r.GetCapacityRange().GetRequiredBytes() }),
			mutation.Fails("restore_smaller", "CS-11"), mutation.Passes("clone_smaller")),
		"a copy is as large as its source, whatever the request": mutation.Wrong(
			answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = size }),
			mutation.Fails("restore_without_range", "CS-11"), mutation.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05")),
		"creates volumes in Z3 only": mutation.Wide(mutation.In("Z3"),
			mutation.Passes(largerOnNode+" "+largerData+" restore_data clone_data restore_independent clone_independent")),
		"a larger copy is refused": mutation.Wrong(refusingLarger(codes.OutOfRange),
			mutation.Passes(larger+" "+largerOnNode+" "+largerData)),
		"a larger copy is INTERNAL": mutation.Wrong(refusingLarger(codes.Internal),
			mutation.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05")),
		"a larger copy has the old file system": mutation.Wrong(showingOldSize(func(*createRequest) bool { return true }), mutation.Fails(largerOnNode, "CV-05")),
		"a larger device ends where its source does": mutation.Wrong(showingOldSize(func(r *createRequest) bool { return r.GetVolumeCapabilities()[0].GetBlock() != nil }),
			mutation.Fails(largerDevice, "CV-05")),
		"does not tell names of copies apart after 63 bytes": mutation.Wrong(asking(func(r *createRequest) { r.Name = r.GetName()[:min(63, len(r.GetName()))] }),
			mutation.Fails(made, "VOL-04")),
		"a clone by a long name is refused, though a volume is not": mutation.Wrong(mutation.RefusingSome(codes.InvalidArgument, "the name of the temporary snapshot is too long", func(r *createRequest) bool {
			return r.GetVolumeContentSource().GetVolume() != nil && len(r.GetName()) > 120
		}), mutation.Fails("clone_volume", "CS-02")),
		"a copy of a volume that is attached read-only is read-only": mutation.Wrong(inheritingReadOnly(),
			mutation.Fails("restore_attached_read_only clone_attached_read_only", "CV-14")),
		"a repeated clone is refused once its source has grown": mutation.Wrong(comparingGrown(), mutation.Fails("clone_again", "CV-03")),
		"a repeated copy is ALREADY_EXISTS":                     mutation.Wrong(onRepeat(mutation.RefusingAll[*createRequest](codes.AlreadyExists, "the name is taken")), mutation.Fails(again, "CV-03")).Seen("csi-driver-host-path v1.18.0"),
		"a repeated copy is another volume": mutation.Wrong(onRepeat(mutation.Asking(func(r *createRequest) { r.Name += "-again" })),
			mutation.Fails(again, "CV-02"), mutation.Fails(nameTaken, "CREATE-06")),
		"a name has its volume, whatever the source":           mutation.Wide(mutation.Remembering((*createRequest).GetName), mutation.Fails(nameTaken, "CREATE-06")).Seen("csi-driver-host-path v1.18.0, scaleway-csi v0.3.6"),
		"compares the volumes of sources, and not the sources": mutation.Wrong(comparingVolumes(), mutation.Fails(nameTaken, "CREATE-06")),
		"a copy is counted twice": mutation.Wrong(counting(func(bytes int64) int64 { return -bytes }),
			mutation.Fails(countedOnce, "CAP-07")),
		"does not say how large a copy is": mutation.Wrong(answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = 0 }),
			mutation.Passes(countedOnce+" "+made)),
		"a copy is not counted": mutation.Wrong(counting(func(bytes int64) int64 { return bytes }),
			mutation.Fails(countedOnce, "CAP-07")),
		"lists no copies": mutation.Wrong(listingNoCopies(), mutation.Fails(made, "LV-01")),
		"copies go with their source": mutation.Wrong(goingWithSource(),
			mutation.Fails("restore_outlives_snapshot restore_data", "DS-04"),
			mutation.Fails("clone_outlives_source clone_data", "DV-05")),
		"a source that was copied cannot be deleted": mutation.Wrong(keepingSources(codes.FailedPrecondition),
			mutation.Passes(outlives)),
		"INTERNAL for a source that was copied": mutation.Wrong(keepingSources(codes.Internal),
			mutation.Fails("restore_outlives_snapshot", "DS-04"), mutation.Fails("clone_outlives_source", "DV-05")),
		"OK to an empty source": mutation.Wrong(copying(mutation.Retrying(codes.InvalidArgument, withoutSource)),
			mutation.Fails("source_empty", "GEN-11")),
		"INTERNAL to an empty source": mutation.Wrong(recoding(codes.InvalidArgument, codes.Internal),
			mutation.Fails("source_empty", "GEN-11")),

		"restores the first snapshot of a device, whichever is requested": mutation.Wrong(restoringTheFirst(),
			mutation.Fails("restore_device_data", "VS-02")),
		"copies devices up to the size that they had at first": mutation.Wrong(copyingFirstSize(),
			mutation.Fails(deviceData, "VS-02")),
		"copies whole MiB of devices only": mutation.Wrong(copyingWholeMiB(), mutation.Fails(deviceData, "VS-02")),
		"mounts the source of a copy where both are on one node": mutation.Wrong(mountingSource(),
			mutation.Fails(besideSource, "VS-02")),
	}
}

func listingNoCopies() mutation.Fault {
	var copies sync.Map
	return answering(func(_ *createRequest, v *csi.Volume) {
		copies.Store(v.GetVolumeId(), true)
	}).And(mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *csi.ListVolumesResponse_Entry) bool {
			_, isCopy := copies.Load(e.GetVolume().GetVolumeId())
			return isCopy
		})
	}))
}

func withoutLimit(r *createRequest) {
	if r.GetCapacityRange() != nil {
		r.CapacityRange.LimitBytes = 0
	}
}
