package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// attaching is what each of these cases takes for granted, besides a number of nodes.
func attaching(nodes int) harness.Needs {
	return harness.Needs{
		Volumes:    1,
		Nodes:      nodes,
		Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME},
	}
}

// forTwo is a request for a volume that two nodes reach: two nodes of one segment, or else nodes of two segments if the
// driver has volumes that are accessible from both.
func forTwo(under *harness.Driver) model.Request {
	for i, one := range under.Nodes {
		for _, other := range under.Nodes[i+1:] {
			if one.Segment.Equal(other.Segment) {
				return under.VolumeFor(one)
			}
		}
	}
	if _, can := under.Profile().Parameters(2); can {
		return under.Volume(2).Within(under.Nodes[0].Segment, under.Nodes[1].Segment)
	}
	return under.VolumeFor(under.Nodes[0])
}

// twoOf are two nodes that reach the volume. Without them the case is skipped.
func twoOf(under *harness.Driver, volume *csi.Volume) (one, other *harness.Node) {
	reaching, _ := under.Reaching(volume.GetAccessibleTopology())
	if len(reaching) < 2 {
		verdict.Skip(verdict.ByEnvironment, "the case needs two nodes that reach one volume, and of the %d node endpoints %d is in %s",
			len(under.Nodes), len(reaching), harness.Segments(volume.GetAccessibleTopology()))
	}
	return reaching[0], reaching[1]
}

// publish publishes a volume to a node, and returns the error alone.
func publish(ctx context.Context, under *harness.Driver, request *csi.ControllerPublishVolumeRequest) error {
	_, err := under.Controller.ControllerPublishVolume(ctx, request)
	return err
}

// unpublish ends the publication of a volume to a node.
func unpublish(ctx context.Context, under *harness.Driver, request *csi.ControllerUnpublishVolumeRequest) error {
	_, err := under.Controller.ControllerUnpublishVolume(ctx, request)
	return err
}

// remove deletes a volume.
func remove(ctx context.Context, under *harness.Driver, volume *csi.Volume) error {
	_, err := under.Controller.DeleteVolume(ctx, under.DeleteVolumeRequest(volume))
	return err
}

// onBoth publishes a volume to two nodes with the capability, which the case depends on.
func onBoth(ctx context.Context, under *harness.Driver, volume *csi.Volume, capability *csi.VolumeCapability, one, other *harness.Node) {
	for _, node := range []*harness.Node{one, other} {
		request := under.ControllerPublishVolumeRequest(volume, node)
		request.VolumeCapability = capability
		harness.Need(under.Controller.ControllerPublishVolume(ctx, request))
	}
}

// validation asks whether the volume has the capabilities.
func validation(under *harness.Driver, volume *csi.Volume, capabilities ...*csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId:           volume.GetVolumeId(),
		VolumeContext:      volume.GetVolumeContext(),
		VolumeCapabilities: capabilities,
		Secrets:            under.Profile().Secrets.ValidateVolume,
	}
}
