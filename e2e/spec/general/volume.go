package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// made is a volume of the case's size that the case depends on, in the driver's first segment if it has any.
func made(ctx context.Context, under *harness.Driver) *csi.Volume {
	request := under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(1)...))
	return harness.Need(under.Controller.CreateVolume(ctx, request)).GetVolume()
}

// madeFor is a volume that the node reaches.
func madeFor(ctx context.Context, under *harness.Driver, node *harness.Node) *csi.Volume {
	return harness.Need(under.Controller.CreateVolume(ctx, under.CreateVolumeRequest(under.VolumeFor(node)))).GetVolume()
}

// claiming are the needs of a case with a volume, whose controller claims the capabilities.
func claiming(capabilities ...csi.ControllerServiceCapability_RPC_Type) harness.Needs {
	return harness.Needs{Volumes: 1, Controller: capabilities}
}

// claimingAtNode are those of a case with a volume and one node, whose nodes claim the capabilities.
func claimingAtNode(capabilities ...csi.NodeServiceCapability_RPC_Type) harness.Needs {
	return harness.Needs{Volumes: 1, Nodes: 1, Node: capabilities}
}
