package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// claims are the capabilities of the controller that a case needs.
func claims(needed ...csi.ControllerServiceCapability_RPC_Type) []csi.ControllerServiceCapability_RPC_Type {
	return needed
}

// remove deletes a volume, which the case depends on.
func remove(ctx context.Context, under *harness.Driver, volume *csi.Volume) {
	harness.Need(under.Controller.DeleteVolume(ctx, under.DeleteVolumeRequest(volume)))
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
		made = append(made, under.NeedVolume(ctx, asked))
	}
	return made
}

// unpublish takes a volume from the node, which the case depends on.
func unpublish(ctx context.Context, under *harness.Driver, volume *csi.Volume, node *harness.Node) {
	harness.Need(under.Controller.ControllerUnpublishVolume(ctx, under.ControllerUnpublishVolumeRequest(volume, node)))
}
