// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	right       = mutation.Right
	creation    = csi.CreateVolumeRequest
	created     = csi.CreateVolumeResponse
	deletion    = csi.DeleteVolumeRequest
	deleted     = csi.DeleteVolumeResponse
	publication = csi.ControllerPublishVolumeRequest
	question    = csi.ValidateVolumeCapabilitiesRequest
	confirmed   = csi.ValidateVolumeCapabilitiesResponse
)

// unable is the error of drivers that refuse right requests.
const unable = "this driver does not do that"

// unconfirming makes a driver that denies what some questions ask.
func unconfirming(when func(*question) bool) mutation.Fault {
	return mutation.Where(when, mutation.Instead(func(*question) *confirmed { return &confirmed{Message: unable} }))
}

// hasMode reports whether one of the capabilities is of the access mode.
func hasMode(capabilities []*csi.VolumeCapability, mode csi.VolumeCapability_AccessMode_Mode) bool {
	return slices.ContainsFunc(capabilities, func(c *csi.VolumeCapability) bool { return c.GetAccessMode().GetMode() == mode })
}
