// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongWhenRepeated returns drivers that answer differently for a name that they know.
func wrongWhenRepeated() map[string]mutation.Expectation {
	const mebibyte = 1 << 20
	return map[string]mutation.Expectation{
		// vsphere-csi-driver remembers the result for a name.
		"answers a deleted volume for its name, where no topology is asked for": mutation.Wrong(remembersTheDeleted(),
			mutation.Fails("name_of_deleted", "CREATE-01")),
		"answers a deleted volume for its name, and only an attachment shows it": mutation.Wide(
			remembersTheDeleted().And(mutation.Recoding[*publication](codes.NotFound, codes.Internal)).Over(mutation.Lacking(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES, csi.ControllerServiceCapability_RPC_GET_VOLUME)),
			mutation.Fails("name_of_deleted", "CREATE-01")).Seen("vsphere-csi-driver bf8090256"),
		"answers a call for a deleted volume as it did before": mutation.Wrong(
			answersFromMemory[*question]().And(answersFromMemory[*csi.ControllerExpandVolumeRequest]()).
				And(answersFromMemory[*modification]()).
				And(answersFromMemory[*publication]()), mutation.Fails("deleted_after_validation", "VV-03"),
			mutation.Fails("deleted_after_growth", "CE-17"), mutation.Fails("deleted_after_modification", "MV-05"),
			mutation.Fails("deleted_after_detachment", "CP-31")),
		"knows a deleted volume as long as it has copies": mutation.Wide(knowsSources(),
			mutation.Fails("deleted_after_validation", "VV-03"), mutation.Fails("deleted_after_growth", "CE-17"),
			mutation.Fails("deleted_after_modification", "MV-05"), mutation.Fails("deleted_after_detachment", "CP-31")),
		"tells fewer bytes when it is asked again": mutation.Wrong(
			mutation.Again((*creation).GetName, mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) {
				v.CapacityBytes -= v.GetCapacityBytes() % mebibyte
			})), mutation.Fails("size_at_least_required", "CR-03")).Seen("vultr-csi v0.18.0"),
	}
}

// remembersTheDeleted makes a driver that answers a known name from memory if the request has no
// accessibility_requirements.
func remembersTheDeleted() mutation.Fault {
	var answers sync.Map
	return mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
		if before, found := answers.Load(r.GetName()); found && r.GetAccessibilityRequirements() == nil {
			return before.(*created), nil
		}
		response, err := driver.CreateVolume(ctx, r)
		if err == nil {
			answers.LoadOrStore(r.GetName(), response)
		}
		return response, err
	})
}

// answersFromMemory makes a driver that does not check whether the volume of a repeated call still exists.
func answersFromMemory[Request proto.Message]() mutation.Fault {
	return mutation.RememberingInsteadOf(codes.NotFound, func(r Request) string { return fmt.Sprint(r) })
}

// knowsSources makes a driver that still finds a deleted volume: to validate or publish through its snapshots, and to
// expand or modify through its clones.
func knowsSources() mutation.Fault {
	var volumes, sources sync.Map // the source of each copy
	isSource := func(of *sync.Map, id string) bool {
		for _, source := range of.Range {
			if source == id {
				return true
			}
		}
		return false
	}
	return mutation.Answering(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		volumes.Store(response.GetSnapshot().GetSnapshotId(), r.GetSourceVolumeId())
	}).And(mutation.OnOK(func(r *csi.DeleteSnapshotRequest) {
		volumes.Delete(r.GetSnapshotId())
	})).And(mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
		sources.Store(v.GetVolumeId(), r.GetVolumeContentSource().GetVolume().GetVolumeId())
	})).And(knowing(func(r *question) (*confirmed, bool) {
		return &confirmed{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}}, isSource(&volumes, r.GetVolumeId())
	})).And(knowing(func(r *publication) (*csi.ControllerPublishVolumeResponse, bool) {
		return &csi.ControllerPublishVolumeResponse{}, isSource(&volumes, r.GetVolumeId())
	})).And(knowing(func(r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, bool) {
		return &csi.ControllerExpandVolumeResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, isSource(&sources, r.GetVolumeId())
	})).And(knowing(func(r *modification) (*modified, bool) { return &modified{}, isSource(&sources, r.GetVolumeId()) }))
}

// knowing makes a driver that returns the result of answer, if there is one, instead of NOT_FOUND.
func knowing[Request, Response proto.Message](answer func(r Request) (Response, bool)) mutation.Fault {
	return mutation.InsteadOf(codes.NotFound, func(_ context.Context, _ right, r Request, refused error) (Response, error) {
		if response, found := answer(r); found {
			return response, nil
		}
		var none Response
		return none, refused
	})
}
