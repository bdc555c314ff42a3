// SPDX-License-Identifier: Apache-2.0

package validation

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// ConfirmedForSeveral returns an access mode for several nodes that the driver confirms for the volume, or an empty string.
func ConfirmedForSeveral(ctx context.Context, d *harness.Driver, volume *csi.Volume) string {
	for _, mode := range []csi.VolumeCapability_AccessMode_Mode{
		csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER,
		csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER,
		csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY,
	} {
		answer, err := d.Controller.ValidateVolumeCapabilities(ctx, Request(d, volume, messages.As(d.Capability(), mode)))
		if err == nil && answer.GetConfirmed() != nil {
			return mode.String()
		}
	}
	return ""
}
