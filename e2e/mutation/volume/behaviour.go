// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

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

// unable is what drivers say that refuse requests which are right.
const unable = "this driver does not do that"

// unconfirming makes a driver that denies what some questions ask.
func unconfirming(when func(*question) bool) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *question) (*confirmed, error) {
		if when(r) {
			return &confirmed{Message: unable}, nil
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
