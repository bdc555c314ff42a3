// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// NeedVolume makes a volume that a case depends on and does not judge, with the given capabilities, or with the
// driver's Capability if there are none. It is deleted after the case.
func (d *Driver) NeedVolume(ctx context.Context, asked model.Request, capabilities ...*csi.VolumeCapability) *csi.Volume {
	if d.usesExisting() {
		return d.existing(ctx, capabilities)
	}
	response, err := d.Controller.CreateVolume(ctx, requestWith(d, asked, capabilities))
	return needRoom(d, response, err)
}

// NeedVolumeWith is like NeedVolume, for capabilities that a driver need not have: it skips the case if CreateVolume
// refuses them.
func (d *Driver) NeedVolumeWith(ctx context.Context, asked model.Request, capabilities ...*csi.VolumeCapability) *csi.Volume {
	if d.usesExisting() {
		return d.existing(ctx, capabilities)
	}
	response, err := d.Controller.CreateVolume(ctx, requestWith(d, asked, capabilities))
	if statuses.Untaken(err) {
		suite.Skip(suite.ByCapability, "CreateVolume does not accept the volume_capabilities %s: %s", describe.Capabilities(capabilities), describe.Status(err))
	}
	return needRoom(d, response, err)
}

// NeedVolumeOf makes a volume of the access mode, mounted or else as a raw block device, and returns its capability. If
// CreateVolume refuses both, it skips the case.
func (d *Driver) NeedVolumeOf(ctx context.Context, asked model.Request, mode csi.VolumeCapability_AccessMode_Mode) (*csi.Volume, *csi.VolumeCapability) {
	capability := messages.As(d.Capability(), mode)
	if d.Profile().HasMount() && d.Profile().Block && !d.usesExisting() {
		response, err := d.Controller.CreateVolume(ctx, requestWith(d, asked, []*csi.VolumeCapability{capability}))
		if !statuses.Untaken(err) {
			return needRoom(d, response, err), capability
		}
		capability = messages.As(d.Block(), mode)
	}
	return d.NeedVolumeWith(ctx, asked, capability), capability
}

// needRoom is like NeedOK, for a new volume. RESOURCE_EXHAUSTED means that there is no room, unless capacity is exact.
func needRoom(d *Driver, response *csi.CreateVolumeResponse, err error) *csi.Volume {
	if status.Code(err) == codes.ResourceExhausted && !d.Profile().Capacity.Exact() {
		suite.Skip(suite.ByEnvironment, "there is no room for a volume that the case needs: %s", describe.Status(err))
	}
	return NeedOK(response, err).GetVolume()
}

func requestWith(d *Driver, asked model.Request, capabilities []*csi.VolumeCapability) *csi.CreateVolumeRequest {
	if d.Target.takesOne() && min(asked.X, len(asked.Requisite)) > 1 {
		suite.Skip(suite.ByCapability, "CreateVolume accepts no more than one topology, which the cases about lists of topologies judge, or each node has a controller of its own, and this case needs a volume in %s", asked.Requisite)
	}
	request := d.CreateVolumeRequest(asked)
	if len(capabilities) > 0 {
		request.VolumeCapabilities = capabilities
	}
	return request
}
