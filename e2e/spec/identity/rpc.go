package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// rpc is a call that follows from a capability.
type rpc struct {
	capability string
	claimed    bool
	name       string
	// ask makes the call without anything in its request: it does nothing, or is refused.
	ask func(context.Context) error
}

// empty makes a call without anything in its request.
func empty[Request, Response any](call func(context.Context, *Request, ...grpc.CallOption) (*Response, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := call(ctx, new(Request))
		return err
	}
}

// controllerRPCs are the calls of the controller that follow from capabilities.
func controllerRPCs(under *harness.Driver) []rpc {
	c := under.Controller
	type of = csi.ControllerServiceCapability_RPC_Type
	claimed := func(capability of, name string, ask func(context.Context) error) rpc {
		return rpc{capability.String(), under.Claims(capability), name, ask}
	}
	return []rpc{
		{"GROUP_CONTROLLER_SERVICE", under.ClaimsPlugin(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE),
			"GroupControllerGetCapabilities", empty(under.Groups.GroupControllerGetCapabilities)},
		{"CONTROLLER_SERVICE", under.ClaimsPlugin(csi.PluginCapability_Service_CONTROLLER_SERVICE),
			"ValidateVolumeCapabilities", empty(c.ValidateVolumeCapabilities)},
		claimed(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, "CreateVolume", empty(c.CreateVolume)),
		claimed(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, "DeleteVolume", empty(c.DeleteVolume)),
		claimed(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, "ControllerPublishVolume", empty(c.ControllerPublishVolume)),
		claimed(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, "ControllerUnpublishVolume", empty(c.ControllerUnpublishVolume)),
		claimed(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, "ListVolumes", empty(c.ListVolumes)),
		claimed(csi.ControllerServiceCapability_RPC_GET_VOLUME, "ControllerGetVolume", empty(c.ControllerGetVolume)),
		claimed(csi.ControllerServiceCapability_RPC_GET_CAPACITY, "GetCapacity", empty(c.GetCapacity)),
		claimed(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, "CreateSnapshot", empty(c.CreateSnapshot)),
		claimed(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, "DeleteSnapshot", empty(c.DeleteSnapshot)),
		claimed(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS, "ListSnapshots", empty(c.ListSnapshots)),
		claimed(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT, "GetSnapshot", empty(c.GetSnapshot)),
		claimed(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME, "ControllerExpandVolume", empty(c.ControllerExpandVolume)),
		claimed(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME, "ControllerModifyVolume", empty(c.ControllerModifyVolume)),
		claimed(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH, "ControllerGetVolumeHealth", empty(c.ControllerGetVolumeHealth)),
		claimed(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH, "ControllerListVolumeHealth", empty(c.ControllerListVolumeHealth)),
	}
}

// nodeRPCs are the calls of a node that follow from capabilities, and those that every node has.
func nodeRPCs(n *harness.Node) []rpc {
	type of = csi.NodeServiceCapability_RPC_Type
	claimed := func(capability of, name string, ask func(context.Context) error) rpc {
		return rpc{capability.String(), n.Claims(capability), name + " of " + n.String(), ask}
	}
	return []rpc{
		{"a node", true, "NodePublishVolume of " + n.String(), empty(n.NodePublishVolume)},
		{"a node", true, "NodeUnpublishVolume of " + n.String(), empty(n.NodeUnpublishVolume)},
		claimed(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME, "NodeStageVolume", empty(n.NodeStageVolume)),
		claimed(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME, "NodeUnstageVolume", empty(n.NodeUnstageVolume)),
		claimed(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS, "NodeGetVolumeStats", empty(n.NodeGetVolumeStats)),
		claimed(csi.NodeServiceCapability_RPC_EXPAND_VOLUME, "NodeExpandVolume", empty(n.NodeExpandVolume)),
		claimed(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH, "NodeGetVolumeHealth", empty(n.NodeGetVolumeHealth)),
		claimed(csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH, "NodeGetStorageHealth", empty(n.NodeGetStorageHealth)),
	}
}

// implemented expects a call that is claimed to be implemented: what it is refused for is that its request is empty.
func (r rpc) implemented(ctx context.Context) {
	ginkgo.GinkgoHelper()
	err := r.ask(ctx)
	gomega.Expect(status.Code(err)).NotTo(gomega.Equal(codes.Unimplemented), "%s is claimed, and %s is UNIMPLEMENTED (GEN-14): %v", r.capability, r.name, err)
}

// unimplemented expects a call that is not claimed to be UNIMPLEMENTED. One that judges its request is implemented, which
// nobody will notice.
func (r rpc) unimplemented(ctx context.Context) {
	ginkgo.GinkgoHelper()
	err := r.ask(ctx)
	switch status.Code(err) {
	case codes.OK, codes.InvalidArgument, codes.NotFound:
		verdict.Warn("%s is not claimed, and %s is implemented: no CO will call it (GEN-14)", r.capability, r.name)
	default:
		gomega.Expect(err).To(harness.BeRefused(r.capability+" is not claimed, and so "+r.name+" is UNIMPLEMENTED (GEN-14)", codes.Unimplemented))
	}
}
