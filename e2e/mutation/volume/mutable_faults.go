// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"maps"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

type (
	modification = csi.ControllerModifyVolumeRequest
	modified     = csi.ControllerModifyVolumeResponse
)

// wrongOfMutableParameters returns drivers that do not make the requested changes.
func wrongOfMutableParameters() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"forgets mutable_parameters": mutation.Wrong(mutation.Asking(func(r *creation) { r.MutableParameters = nil }),
			mutation.Fails("mutable_at_creation", "CV-04"), mutation.Warns("name_taken_mutable", "CREATE-06")),
		"takes parameters over mutable_parameters": mutation.Wrong(mutation.Asking(func(r *creation) {
			parameters := r.GetParameters()
			r.Parameters = withoutKeysOf(parameters, r.GetMutableParameters())
			if len(r.GetParameters()) < len(parameters) {
				r.MutableParameters = nil
			}
		}), mutation.Fails("mutable_over_parameters", "CV-04")),
		"takes mutable_parameters over parameters": mutation.Wrong(
			mutation.Asking(func(r *creation) { r.Parameters = withoutKeysOf(r.GetParameters(), r.GetMutableParameters()) }),
			mutation.Passes("mutable_over_parameters")),
		"fails at parameters that are mutable_parameters": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, unable, func(r *creation) bool {
				return len(withoutKeysOf(r.GetParameters(), r.GetMutableParameters())) < len(r.GetParameters())
			}), mutation.Fails("mutable_over_parameters", "GEN-12")),
		"modifies nothing": mutation.Wrong(mutation.Instead(func(*modification) *modified { return &modified{} }),
			mutation.Fails("modify_volume", "MV-01"), mutation.Fails("modify_cut_short", "MV-02"),
			mutation.Warns("modify_unsupported", "MV-04"),
			mutation.Fails("modify_unknown_volume deleted_after_modification", "MV-05")),
		"compares a name with the mutable_parameters that the volume was created with": mutation.Wide(comparesAsCreated(),
			mutation.Warns("modify_volume", "CV-03")),
		"modifies a volume once": mutation.Wrong(
			mutation.Again((*modification).GetVolumeId, mutation.RefusingAll[*modification](codes.FailedPrecondition, "the volume is modified already")),
			mutation.Fails("modify_volume modify_cut_short", "MV-02"), mutation.Fails("deleted_after_modification", "MV-05")),
		"resets mutable_parameters of a volume that grows": mutation.Wrong(resetsAfter[*csi.ControllerExpandVolumeRequest](),
			mutation.Fails("mutable_kept", "CV-03")),
		"resets mutable_parameters of a volume that is unpublished": mutation.Wrong(
			resetsAfter[*csi.ControllerUnpublishVolumeRequest](), mutation.Fails("mutable_kept", "CV-03")),
		"confirms a modified volume only with its mutable_parameters": mutation.Wrong(confirmsModifiedOnly(),
			mutation.Warns("modify_volume", "VV-01")),
		"resets what is not named": mutation.Expect(mutation.Driver{Fault: twoMutable(true), Target: withTwoMutable},
			mutation.Fails("modify_absent_keys", "MV-06")),
		"modifies what it can": mutation.Wrong(
			mutation.InsteadOf(codes.InvalidArgument, func(ctx context.Context, driver right, r *modification, refused error) (*modified, error) {
				r.MutableParameters = map[string]string{"allocation": "thick"}
				_, _ = driver.ControllerModifyVolume(ctx, r)
				return nil, refused
			}), mutation.Fails("modify_unsupported", "MV-04")),
		"modifies what it can while a volume is published": mutation.Wrong(
			mutation.InsteadOf(codes.InvalidArgument, func(ctx context.Context, driver right, r *modification, refused error) (*modified, error) {
				volume, _ := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
				if len(volume.GetStatus().GetPublishedNodeIds()) > 0 {
					_, _ = driver.ControllerModifyVolume(ctx, &modification{VolumeId: r.GetVolumeId(), MutableParameters: map[string]string{"allocation": "thick"}})
				}
				return nil, refused
			}), mutation.Fails("modify_unsupported", "MV-04")),
		"detaches a volume to modify it": mutation.Wrong(
			mutation.On(func(ctx context.Context, driver right, r *modification) (*modified, error) {
				response, err := driver.ControllerModifyVolume(ctx, r)
				if err == nil {
					_, err = driver.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId()})
				}
				return response, err
			}), mutation.Fails("modify_keeps_the_rest", "MV-06")),
		"modifies a volume as it was before it grew": mutation.Wrong(modifiesAsCreated(),
			mutation.Fails("modify_keeps_the_rest", "MV-06")),
	}
}

func modifiesAsCreated() mutation.Fault {
	var created, restored sync.Map // the size of a volume
	return mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) {
		created.Store(v.GetVolumeId(), v.GetCapacityBytes())
	}).And(mutation.OnOK(func(r *modification) {
		if bytes, found := created.Load(r.GetVolumeId()); found {
			restored.Store(r.GetVolumeId(), bytes)
		}
	})).And(mutation.Describing(func(v *csi.Volume) {
		if bytes, found := restored.Load(v.GetVolumeId()); found {
			v.CapacityBytes = bytes.(int64)
		}
	}))
}

func confirmsModifiedOnly() mutation.Fault {
	var changed sync.Map
	return mutation.Asking(func(r *modification) { changed.Store(r.GetVolumeId(), true) }).And(unconfirming(func(r *question) bool {
		_, found := changed.Load(r.GetVolumeId())
		return found && len(r.GetMutableParameters()) == 0
	}))
}

func comparesAsCreated() mutation.Fault {
	var created sync.Map // the mutable_parameters of each name
	return mutation.RefusingSome(codes.AlreadyExists, "the name has other mutable_parameters", func(r *creation) bool {
		before, found := created.LoadOrStore(r.GetName(), maps.Clone(r.GetMutableParameters()))
		return found && !maps.Equal(before.(map[string]string), r.GetMutableParameters())
	})
}

// resetsAfter makes a driver that resets the mutable parameters of a volume to their defaults when a request of one type is OK.
func resetsAfter[Request interface {
	proto.Message
	GetVolumeId() string
}]() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, driver right, call mutation.Call) (proto.Message, error) {
		response, err := call.Perform(ctx)
		if r, is := call.Request.(Request); is && err == nil {
			_, _ = driver.ControllerModifyVolume(ctx, &modification{VolumeId: r.GetVolumeId(), MutableParameters: map[string]string{"allocation": "thin"}})
		}
		return response, err
	})
}

// withoutKeysOf returns the parameters whose keys are not in others.
func withoutKeysOf(parameters, others map[string]string) map[string]string {
	rest := map[string]string{}
	for key, value := range parameters {
		if _, found := others[key]; !found {
			rest[key] = value
		}
	}
	return rest
}

const color = "color"

func withTwoMutable(t *harness.Target) {
	t.Profile.MutableParameters = map[string]string{"allocation": "thick", color: "red"}
}

// twoMutable makes a driver with another mutable parameter, a color, which it may reset if a modification does not name it.
func twoMutable(resets bool) mutation.Fault {
	colors := map[string]string{}
	take := func(parameters map[string]string) (value string, named bool) {
		value, named = parameters[color]
		delete(parameters, color)
		return value, named
	}
	return mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
		value, named := take(r.GetMutableParameters())
		parameters := map[string]string{}
		maps.Copy(parameters, r.GetParameters())
		delete(parameters, color)
		r.Parameters = parameters
		response, err := driver.CreateVolume(ctx, r)
		if err == nil && named {
			colors[response.GetVolume().GetVolumeId()] = value
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, driver right, r *modification) (*modified, error) {
		value, named := take(r.GetMutableParameters())
		if len(r.GetMutableParameters()) > 0 {
			if _, err := driver.ControllerModifyVolume(ctx, r); err != nil {
				return nil, err
			}
		}
		if named || resets {
			colors[r.GetVolumeId()] = value
		}
		return &modified{}, nil
	})).And(unconfirming(func(r *question) bool {
		value, named := take(r.GetMutableParameters())
		return named && colors[r.GetVolumeId()] != value
	}))
}
