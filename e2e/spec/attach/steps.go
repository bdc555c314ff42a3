// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// unknownMode is an access mode that no specification has.
const unknownMode csi.VolumeCapability_AccessMode_Mode = 1000

// needs returns what a case needs that attaches volumes to the given number of nodes.
func needs(nodes int) []harness.Need {
	return harness.Needs(harness.Nodes(nodes), harness.Volume(), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME))
}

// beyond returns what a case needs that is about a node which cannot reach the volume.
func beyond() []harness.Need {
	return harness.Needs(harness.Nodes(2), harness.Segments(2), needs(2))
}

// forTwo asks for a volume that is accessible from two nodes: both in one segment, or else in two segments if the driver has
// volumes that are accessible from both.
func forTwo(driver *harness.Driver) model.Request {
	for i, one := range driver.Nodes {
		for _, other := range driver.Nodes[i+1:] {
			if one.Segment.Equal(other.Segment) {
				return driver.VolumeFor(one)
			}
		}
	}
	if len(driver.Nodes) > 1 && driver.Room.Makes(2, driver.Nodes[0].Segment, driver.Nodes[1].Segment) {
		return driver.Volume(2).Within(driver.Nodes[0].Segment, driver.Nodes[1].Segment)
	}
	return driver.VolumeFor(driver.Nodes[0])
}

// twoOf returns two nodes that can reach the volume. Without them the case is skipped.
func twoOf(driver *harness.Driver, volume *csi.Volume) (one, other *harness.Node) {
	reaching, _ := publication.Reaching(driver, volume.GetAccessibleTopology())
	if len(reaching) < 2 {
		suite.Skip(suite.ByEnvironment, "the case needs two nodes from which one volume is accessible, and volumes in %[3]s are accessible from %[2]d of the %[1]d given",
			len(driver.Nodes), len(reaching), messages.Segments(volume.GetAccessibleTopology()))
	}
	return reaching[0], reaching[1]
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
