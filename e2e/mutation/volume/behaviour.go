// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	right     = mutation.Right
	creation  = csi.CreateVolumeRequest
	created   = csi.CreateVolumeResponse
	deletion  = csi.DeleteVolumeRequest
	deleted   = csi.DeleteVolumeResponse
	question  = csi.ValidateVolumeCapabilitiesRequest
	confirmed = csi.ValidateVolumeCapabilitiesResponse
)

// wrong is a driver with a fault that the named cases see, and no others.
func wrong(fault mutation.Fault, cases ...mutation.Case) mutation.Expectation {
	return mutation.Expectation{Driver: mutation.Driver{Fault: fault}, Cases: cases}
}

// wide is a driver with a fault that shows in other cases too.
func wide(fault mutation.Fault, cases ...mutation.Case) mutation.Expectation {
	return mutation.Expectation{Driver: mutation.Driver{Fault: fault}, Cases: cases, Wide: true}
}

// asking makes a driver that understands another request than it got.
func asking(change func(*creation)) mutation.Fault {
	return mutation.Asking(change)
}

// answering makes a driver that says of its volume something else than what it made.
func answering(change func(*creation, *csi.Volume)) mutation.Fault {
	return mutation.Answering(func(r *creation, response *created) { change(r, response.GetVolume()) })
}

// refusing makes a driver that refuses some requests which are right.
func refusing(code codes.Code, when func(*creation) bool) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
		if when(r) {
			return nil, status.Error(code, "this driver does not do that")
		}
		return driver.CreateVolume(ctx, r)
	})
}

// instead makes a driver that does something else than to refuse with the code.
func instead(of codes.Code, do func(ctx context.Context, driver right, r *creation, refusal error) (*created, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
		response, err := driver.CreateVolume(ctx, r)
		if status.Code(err) == of {
			return do(ctx, driver, r, err)
		}
		return response, err
	})
}

// deleting makes a driver with another DeleteVolume.
func deleting(handle func(ctx context.Context, driver right, r *deletion) (*deleted, error)) mutation.Fault {
	return mutation.On(handle)
}

// unconfirming makes a driver that denies what some questions ask.
func unconfirming(when func(*question) bool) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *question) (*confirmed, error) {
		if when(r) {
			return &confirmed{Message: "this driver does not do that"}, nil
		}
		return driver.ValidateVolumeCapabilities(ctx, r)
	})
}

// hasMode reports whether one of the capabilities is of the access mode.
func hasMode(capabilities []*csi.VolumeCapability, mode csi.VolumeCapability_AccessMode_Mode) bool {
	for _, capability := range capabilities {
		if capability.GetAccessMode().GetMode() == mode {
			return true
		}
	}
	return false
}

// by reports whether a case asks for the volume, for faults that would spoil all others.
func by(caseID string, r *creation) bool {
	return mutation.Made(caseID, r.GetName())
}
