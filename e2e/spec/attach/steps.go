// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// unknownMode is an access mode that no version of the specification has.
const unknownMode csi.VolumeCapability_AccessMode_Mode = 1000

// needs returns the needs of a case that attaches volumes to the given number of nodes.
func needs(nodes int) []harness.Need {
	return harness.Needs(harness.Nodes(nodes), harness.Volume(), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME))
}

// beyond returns the needs of a case about a node that cannot reach the volume.
func beyond() []harness.Need {
	return harness.Needs(harness.Nodes(2), harness.Segments(2), needs(2))
}

// outOfReach returns a node that cannot reach the volume. Without one the case is skipped.
func outOfReach(driver *harness.Driver, volume *csi.Volume) *harness.Node {
	_, beyond := publication.Reaching(driver, volume.GetAccessibleTopology())
	if len(beyond) == 0 {
		suite.Skip(suite.ByEnvironment, "every node endpoint reaches the volume, which is accessible from %s", messages.Segments(volume.GetAccessibleTopology()))
	}
	return beyond[0]
}

// attach attaches a volume to a node.
func attach(ctx context.Context, driver *harness.Driver, request *csi.ControllerPublishVolumeRequest) error {
	_, err := driver.Controller.ControllerPublishVolume(ctx, request)
	return err
}

// detach detaches a volume from a node, or from all.
func detach(ctx context.Context, driver *harness.Driver, request *csi.ControllerUnpublishVolumeRequest) error {
	_, err := driver.Controller.ControllerUnpublishVolume(ctx, request)
	return err
}

// remove deletes a volume.
func remove(ctx context.Context, driver *harness.Driver, volume *csi.Volume) error {
	_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
	return err
}

// needAttached attaches a volume to the nodes with the capability that it was created with, which the case depends on. That it
// is attached to one of them shows that the request is right for the others.
func needAttached(ctx context.Context, driver *harness.Driver, volume *csi.Volume, capability *csi.VolumeCapability, nodes ...*harness.Node) {
	for i, node := range nodes {
		request := publication.AttachRequest(driver, volume, node)
		request.VolumeCapability = capability
		err := attach(ctx, driver, request)
		if i == 0 || status.Code(err) == codes.ResourceExhausted {
			harness.NeedOK(request, err)
		}
		expectAttached(request, node, err)
	}
}

// expectAttached fails the case if a volume is not attached with the capability that it was created with.
func expectAttached(request *csi.ControllerPublishVolumeRequest, node *harness.Node, err error) {
	harness.ExpectOK("CV-12", err, fmt.Sprintf("volume %s was created with %s, which is for several nodes (CP-07), so that it can be attached to %s with readonly = %t",
		request.GetVolumeId(), request.GetVolumeCapability().GetAccessMode().GetMode(), node, request.GetReadonly()))
}
