// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeGrowth returns the needs of every case on NodeExpandVolume. A node that mounts nothing has nothing to grow.
func nodeGrowth() []harness.Need {
	return harness.Needs(harness.Nodes(1), harness.Volumes(1), harness.NodeClaims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME), harness.RealNodes())
}

// controllerGrows reports whether the controller has to expand a volume before a node can.
func controllerGrows(driver *harness.Driver) bool {
	return driver.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
}

// held is a volume that is published on a node and that the controller has expanded since, so that the node has to expand
// it.
type held struct {
	driver    *harness.Driver
	node      *harness.Node
	volume    *csi.Volume
	published *csi.NodePublishVolumeRequest
	// bytes is the size that the volume can grow to on the node.
	bytes int64
}

// hold creates a volume with the capability, publishes it on a node and expands it in the controller: while it is
// published if expansion is ONLINE, otherwise in between.
func hold(ctx context.Context, driver *harness.Driver, capability *csi.VolumeCapability) *held {
	return holdWith(ctx, driver, capability, func(*held) {})
}

// holdWith is like hold, and calls use while the volume is published and has not grown.
func holdWith(ctx context.Context, driver *harness.Driver, capability *csi.VolumeCapability, use func(*held)) *held {
	return holdVolume(ctx, driver, driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]), capability), capability, use)
}

// holdVolume is like holdWith, for a volume that was created with the capability.
func holdVolume(ctx context.Context, driver *harness.Driver, volume *csi.Volume, capability *csi.VolumeCapability, use func(*held)) *held {
	h := &held{driver: driver, node: driver.Nodes[0], volume: volume, bytes: larger(driver, volume)}
	h.published = publication.PublishAs(ctx, h.node, h.volume, capability)
	use(h)
	if controllerGrows(driver) {
		h.expand(ctx, func() { needGrown(ctx, driver, h.volume, h.bytes, capability) })
	}
	return h
}

// expand calls grow, which expands the volume in the controller: while the volume is published if expansion is ONLINE,
// otherwise in between.
func (h *held) expand(ctx context.Context, grow func()) {
	online := h.driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE)
	if !online {
		publication.TakeAway(ctx, h.node, h.volume, h.published)
	}
	grow()
	if !online {
		h.published = publication.PublishAs(ctx, h.node, h.volume, h.published.GetVolumeCapability())
	}
}

// request asks the node for the full size that the volume can grow to, with every optional field.
func (h *held) request() *csi.NodeExpandVolumeRequest {
	return growth.NodeRequest(h.node, h.published, h.bytes)
}

// mustGrow grows the volume on the node by a valid request, and judges the answer by the clause that demands it. If the file
// system cannot grow in use the case gets a warning, and the answer is nil.
func (h *held) mustGrow(ctx context.Context, request *csi.NodeExpandVolumeRequest, clause string) *csi.NodeExpandVolumeResponse {
	response, err := h.node.NodeExpandVolume(ctx, request)
	return h.judge(ctx, request, response, err, clause)
}

// growMore grows the volume once more, by as much as before, and returns the held volume after that; nil if it has not
// grown. The controller decides how often a volume grows, and without one nothing shows that the node has to grow it.
func (h *held) growMore(ctx context.Context) *held {
	if !controllerGrows(h.driver) {
		return nil
	}
	more := &held{driver: h.driver, node: h.node, volume: proto.CloneOf(h.volume), bytes: 2*h.bytes - sizeOf(h.driver, h.volume)}
	more.volume.CapacityBytes = h.bytes
	request := growth.ControllerRequest(h.driver, h.volume, more.bytes)
	request.VolumeCapability = h.published.GetVolumeCapability()
	var refused error
	h.expand(ctx, func() { _, refused = h.driver.Controller.ControllerExpandVolume(ctx, request) })
	if refused != nil {
		suite.Reduced(ctx, "the volume has grown to %d bytes, and does not grow once more: %s", h.bytes, describe.Status(refused))
		return nil
	}
	more.published = h.published
	if more.mustGrow(ctx, more.request(), "NE-01") == nil {
		return nil
	}
	return more
}

func (h *held) judge(ctx context.Context, request *csi.NodeExpandVolumeRequest, response *csi.NodeExpandVolumeResponse, err error, clause string) *csi.NodeExpandVolumeResponse {
	switch status.Code(err) {
	case codes.OK:
		h.expectAnswered(request, response)
		return response
	case codes.FailedPrecondition:
		harness.ExpectRefused(ctx, "NE-27", err, "a file system that cannot grow in use is FAILED_PRECONDITION", codes.FailedPrecondition)
		suite.Warn(ctx, "NE-04", "NodeExpandVolume is for volumes in use only, and this one cannot grow in use (NE-27)\ngot: %s", describe.Status(err))
		return nil
	case codes.OutOfRange, codes.ResourceExhausted:
		if controllerGrows(h.driver) {
			suite.Fail(clause, "%s was refused, though the controller has made the volume that large: %s", describeNodeGrowth(request), describe.Status(err))
		}
	}
	judgeRefusal(clause, describeNodeGrowth(request), err, controllerGrows(h.driver) || roomFor(h.driver, h.volume, h.bytes))
	return nil
}

// expectAnswered fails the case if capacity_bytes of an answer, which is optional, is not more than the size before. It may
// be less than required_bytes by the overhead of a file system.
func (h *held) expectAnswered(request *csi.NodeExpandVolumeRequest, response *csi.NodeExpandVolumeResponse) {
	before := sizeOf(h.driver, h.volume)
	if got := response.GetCapacityBytes(); got != 0 && request.GetCapacityRange() != nil {
		suite.Must("CR-03", got > before, "%s answered OK and capacity_bytes %d, and the volume had %d before", describeNodeGrowth(request), got, before)
	}
}

// expectLarger checks the size that NodeGetVolumeStats returns: a workload must see more than the earlier size of the
// volume. The overhead of the file system is less than the growth, unless the profile grows volumes by little. The size was
// not read before, so that the driver cannot have cached it.
func (h *held) expectLarger(ctx context.Context, call string) {
	before := sizeOf(h.driver, h.volume)
	var total int64
	var told bool
	larger := func() bool {
		total, told = data.TotalBytes(ctx, h.node, h.published)
		return !told || total > before
	}
	switch {
	case h.driver.Settled(ctx, effect.NodeGrowth, larger) && told:
	case !told:
		suite.Reduced(ctx, "NodeGetVolumeStats does not return the size of the volume: whether it has grown on the node cannot be seen")
	case h.bytes < before+before/2:
		suite.Reduced(ctx, "the volume grew from %d to %d bytes, and a file system of %d bytes does not show whether it did on the node: set grownBytes in the profile to more", before, h.bytes, total)
	default:
		suite.Fail("CR-03", "%s answered OK, and NodeGetVolumeStats has %d bytes in total: the volume had %d before it grew%s", call, total, before, data.HintAtFake(ctx, h.node, h.published))
	}
}

// describeNodeGrowth describes a request by its capacity_range and its optional fields.
func describeNodeGrowth(request *csi.NodeExpandVolumeRequest) string {
	text := "NodeExpandVolume of " + describe.Range(request.GetCapacityRange())
	for _, field := range []struct {
		name    string
		present bool
	}{
		{"staging_target_path", request.GetStagingTargetPath() != ""},
		{"volume_capability", request.GetVolumeCapability() != nil},
	} {
		if field.present {
			text += ", with " + field.name
		} else {
			text += ", without " + field.name
		}
	}
	return text
}
