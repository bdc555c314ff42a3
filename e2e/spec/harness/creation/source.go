// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// CreateFrom requests a volume with the content of the source, under a new name, and with the capabilities if there are
// any. If the size is 0, the request has no capacity_range. The volume is deleted after the case.
func CreateFrom(ctx context.Context, d *harness.Driver, source *csi.VolumeContentSource, asked model.Request, capabilities ...*csi.VolumeCapability) Answer {
	request := d.CreateVolumeRequest(asked)
	request.VolumeContentSource = source
	if len(capabilities) > 0 {
		request.VolumeCapabilities = capabilities
	}
	if asked.Bytes == 0 {
		request.CapacityRange = nil
	}
	return create(ctx, d, request)
}

// CreateFromUpTo is like CreateFrom, but limits the size of the volume to the given number of bytes; 0 sets no limit.
func CreateFromUpTo(ctx context.Context, d *harness.Driver, source *csi.VolumeContentSource, asked model.Request, limit int64) Answer {
	request := d.CreateVolumeRequest(asked)
	request.VolumeContentSource, request.CapacityRange.LimitBytes = source, limit
	return create(ctx, d, request)
}

// CreateFromAgain requests a volume from the source under the name of an earlier answer.
func CreateFromAgain(ctx context.Context, d *harness.Driver, earlier Answer, source *csi.VolumeContentSource, asked model.Request) Answer {
	request := d.CreateVolumeRequest(asked)
	request.Name, request.VolumeContentSource = earlier.Name, source
	return create(ctx, d, request)
}
