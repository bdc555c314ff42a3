// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongWhenRepeated are drivers that answer a name otherwise when they know it.
func wrongWhenRepeated() map[string]mutation.Expectation {
	const mebibyte = 1 << 20
	return map[string]mutation.Expectation{
		// vsphere-csi-driver remembers what became of a name.
		"answers a deleted volume for its name, where no topology is asked for": mutation.Wrong(remembersTheDeleted(),
			mutation.Fails("name_of_deleted", "CREATE-01")),
		"answers a deleted volume for its name, and only an attachment shows it": mutation.Wide(
			remembersTheDeleted().And(mutation.On(func(ctx context.Context, driver right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
				response, err := driver.ControllerPublishVolume(ctx, r)
				if status.Code(err) == codes.NotFound {
					return nil, status.Error(codes.Internal, "attaching the disk failed")
				}
				return response, err
			})).Over(mutation.Lacking(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES, csi.ControllerServiceCapability_RPC_GET_VOLUME)),
			mutation.Fails("name_of_deleted", "CREATE-01")).Seen("vsphere-csi-driver bf8090256"),
		"answers a call for a deleted volume as it did before": mutation.Wrong(
			answersFromMemory[*question, *confirmed]().
				And(answersFromMemory[*csi.ControllerExpandVolumeRequest, *csi.ControllerExpandVolumeResponse]()).
				And(answersFromMemory[*modification, *modified]()).
				And(answersFromMemory[*csi.ControllerPublishVolumeRequest, *csi.ControllerPublishVolumeResponse]()),
			mutation.Fails("deleted_after_validation", "VV-03"),
			mutation.Fails("deleted_after_growth", "CE-17"),
			mutation.Fails("deleted_after_modification", "MV-05"),
			mutation.Fails("deleted_after_detachment", "CP-31")),
		"tells fewer bytes when it is asked again": mutation.Wrong(tellsLessAgain(mebibyte),
			mutation.Fails("size_at_least_required", "CR-03")).Seen("vultr-csi v0.18.0"),
	}
}

// remembersTheDeleted makes a driver that answers a name which it knows, without accessibility_requirements, from memory.
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

// answersFromMemory makes a driver that does not look for the volume of a call which it has answered before.
func answersFromMemory[Request, Response proto.Message]() mutation.Fault {
	var answers sync.Map
	return mutation.Ending(func(r Request, response Response, err error) (Response, error) {
		asked, _ := proto.MarshalOptions{Deterministic: true}.Marshal(r)
		if before, found := answers.Load(string(asked)); found && status.Code(err) == codes.NotFound {
			return before.(Response), nil
		}
		if err == nil {
			answers.Store(string(asked), response)
		}
		return response, err
	})
}

// tellsLessAgain makes a driver that rounds the size of a volume down to the unit when its name is asked for again.
func tellsLessAgain(unit int64) mutation.Fault {
	var known sync.Map
	return mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
		if _, again := known.LoadOrStore(r.GetName(), true); again {
			v.CapacityBytes -= v.GetCapacityBytes() % unit
		}
	})
}
