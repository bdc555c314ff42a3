package volume_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

type (
	modification = csi.ControllerModifyVolumeRequest
	modified     = csi.ControllerModifyVolumeResponse
)

// wrongOfMutableParameters are drivers that do not change what they are asked to change.
func wrongOfMutableParameters() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"forgets mutable_parameters": wrong(
			asking(func(r *creation) { r.MutableParameters = nil }),
			spectest.Fails("mutable_at_creation", "a volume has its mutable_parameters (CV-04)")),
		"takes parameters over mutable_parameters": wrong(
			asking(func(r *creation) {
				parameters := r.GetParameters()
				r.Parameters = withoutKeysOf(parameters, r.GetMutableParameters())
				if len(r.GetParameters()) < len(parameters) {
					r.MutableParameters = nil
				}
			}),
			spectest.Fails("mutable_over_parameters", "mutable_parameters take precedence over parameters (CV-04)")),
		"takes mutable_parameters over parameters": wrong(
			asking(func(r *creation) { r.Parameters = withoutKeysOf(r.GetParameters(), r.GetMutableParameters()) }),
			spectest.Passes("mutable_over_parameters", "")),
		"fails at parameters that are mutable_parameters": wrong(
			refusing(codes.Internal, func(r *creation) bool {
				return len(withoutKeysOf(r.GetParameters(), r.GetMutableParameters())) < len(r.GetParameters())
			}),
			spectest.Fails("mutable_over_parameters", "its code is INTERNAL, not INVALID_ARGUMENT")),
		"modifies nothing": wrong(
			modifying(func(context.Context, right, *modification) (*modified, error) { return &modified{}, nil }),
			spectest.Fails("modify_volume", "ControllerModifyVolume is implemented where MODIFY_VOLUME is claimed (MV-01)"),
			spectest.Fails("modify_unsupported", "the call was not refused"),
			spectest.Fails("modify_unknown_volume", "a volume that does not exist is NOT_FOUND (MV-05)")),
		"modifies a volume once": wrong(
			modifiesOnce(),
			spectest.Fails("modify_volume", "ControllerModifyVolume is idempotent (MV-02)")),
		"modifies what it can": wrong(
			modifying(func(ctx context.Context, driver right, r *modification) (*modified, error) {
				response, err := driver.ControllerModifyVolume(ctx, r)
				if status.Code(err) == codes.InvalidArgument {
					r.MutableParameters = map[string]string{"allocation": "thick"}
					if _, err := driver.ControllerModifyVolume(ctx, r); err != nil {
						return nil, err
					}
				}
				return response, err
			}),
			spectest.Fails("modify_unsupported", "a call with a parameter that is not supported modifies nothing (MV-04)")),
	}
}

func modifying(handle func(ctx context.Context, driver right, r *modification) (*modified, error)) spectest.Fault {
	return spectest.On(handle)
}

func modifiesOnce() spectest.Fault {
	done := map[string]bool{}
	return modifying(func(ctx context.Context, driver right, r *modification) (*modified, error) {
		if done[r.GetVolumeId()] {
			return nil, status.Error(codes.FailedPrecondition, "the volume is modified already")
		}
		done[r.GetVolumeId()] = true
		return driver.ControllerModifyVolume(ctx, r)
	})
}

// withoutKeysOf are the parameters whose keys others do not have.
func withoutKeysOf(parameters, others map[string]string) map[string]string {
	rest := map[string]string{}
	for key, value := range parameters {
		if _, found := others[key]; !found {
			rest[key] = value
		}
	}
	return rest
}
