package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// claims are the capabilities of the controller that a case needs.
func claims(needed ...csi.ControllerServiceCapability_RPC_Type) []csi.ControllerServiceCapability_RPC_Type {
	return needed
}

// newVolume makes a volume that the case depends on, and remove deletes it.
func newVolume(ctx context.Context, under *harness.Driver, asked model.Request) *csi.Volume {
	return harness.Need(under.Controller.CreateVolume(ctx, under.CreateVolumeRequest(asked))).GetVolume()
}

func remove(ctx context.Context, under *harness.Driver, volume *csi.Volume) {
	harness.Need(under.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{
		VolumeId: volume.GetVolumeId(),
		Secrets:  under.Profile().Secrets.DeleteVolume,
	}))
}

// newVolumes makes some volumes, one after the other in each of the driver's segments where it has any.
func newVolumes(ctx context.Context, under *harness.Driver, count int) []*csi.Volume {
	zones := under.Zones(count)
	var made []*csi.Volume
	for i := range count {
		asked := under.Volume(1)
		if len(zones) > 0 {
			asked = asked.Within(zones[i%len(zones)])
		}
		made = append(made, newVolume(ctx, under, asked))
	}
	return made
}

// reachedBy is a volume that the node reaches.
func reachedBy(under *harness.Driver, node *harness.Node) model.Request {
	if !under.Segments().Contains(node.Segment) {
		return under.Volume(1)
	}
	return under.Volume(1).Within(node.Segment)
}

// unpublish takes a volume from the node, which the case depends on.
func unpublish(ctx context.Context, under *harness.Driver, volume *csi.Volume, node *harness.Node) {
	harness.Need(under.Controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{
		VolumeId: volume.GetVolumeId(),
		NodeId:   node.ID,
		Secrets:  under.Profile().Secrets.ControllerUnpublishVolume,
	}))
}
