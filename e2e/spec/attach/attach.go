// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attaching returns the cases about attaching a volume to any node that can reach it, by only its id and the id of the node.
func attaching() []harness.Case {
	return []harness.Case{{
		ID:           "attach_every_node",
		Text:         "attaches a volume to one node in every segment, and detaches it",
		Requirements: []string{"CP-01", "CP-02", "CP-03", "CP-17", "CU-01", "CU-13"},
		Needs:        needs(1),
		Run:          attachToEveryNode,
	}, {
		ID:           "attach_without_context",
		Text:         "attaches a volume without its volume_context",
		Requirements: []string{"CP-18", "VOL-11"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.AttachRequest(driver, driver.NeedVolume(ctx, driver.VolumeFor(node)), node)
			request.VolumeContext = nil

			if err := attach(ctx, driver, request); err != nil {
				suite.Warn(ctx, "VOL-11", "volume_context is OPTIONAL (CP-18), and the volume_id alone should identify the volume: ControllerPublishVolume without volume_context answered %v", err)
			}
		},
	}}
}

// attachToEveryNode distinguishes a plugin that attaches nothing from one that attaches only to its controller's
// node.
func attachToEveryNode(ctx context.Context, driver *harness.Driver) {
	var tried model.Set
	var attached, refused []string
	for _, node := range driver.Nodes {
		if tried.Contains(node.Segment) {
			continue
		}
		tried = append(tried, node.Segment)
		volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
		if len(node.Segment) == 0 && !publication.MayReach(node, volume) {
			continue
		}
		if err := attach(ctx, driver, publication.AttachRequest(driver, volume, node)); err != nil {
			refused = append(refused, node.String()+": "+err.Error())
			continue
		}
		attached = append(attached, node.String())
		warnUnlessListed(ctx, driver, volume.GetVolumeId(), node)
		harness.ExpectOK("CU-01", detach(ctx, driver, publication.DetachRequest(driver, volume, node)), "a plugin with PUBLISH_UNPUBLISH_VOLUME implements ControllerUnpublishVolume")
	}
	all := strings.Join(refused, "\n")
	suite.Must("CP-03", len(refused) == 0 || len(attached) == 0, "the plugin must not assume that ControllerPublishVolume runs on the node where the volume will be used: "+
		"a volume was attached to %s, and others, which their nodes reach, were not:\n%s", strings.Join(attached, ", "), all)
	suite.Must("CP-01", len(refused) == 0, "a plugin with PUBLISH_UNPUBLISH_VOLUME implements ControllerPublishVolume, and attached no volume to a node that reaches it:\n%s", all)
}

// warnUnlessListed warns if the calls that list the nodes of a volume do not list the one that it was attached to.
func warnUnlessListed(ctx context.Context, driver *harness.Driver, volumeID string, node *harness.Node) {
	driver.Settled(ctx, effect.Attachment, func() bool {
		for _, nodes := range listing.PublishedNodes(ctx, driver, volumeID) {
			if !slices.Contains(nodes, node.ID) {
				return false
			}
		}
		return true
	})
	for call, nodes := range listing.PublishedNodes(ctx, driver, volumeID) {
		suite.Should(ctx, "CP-02", slices.Contains(nodes, node.ID), "ControllerPublishVolume attached volume %s to %s, and %s lists it on %q", volumeID, node, call, nodes)
	}
}

// attachingAgain returns the cases about a repeated ControllerPublishVolume, which is idempotent: for a volume that
// is already attached in the same way, it returns OK.
func attachingAgain() []harness.Case {
	return []harness.Case{{
		ID:           "attach_same_node_again",
		Text:         "returns the same publish_context when ControllerPublishVolume is repeated",
		Requirements: []string{"CP-04", "CP-05", "CP-22", "CP-26"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.AttachRequest(driver, driver.NeedVolume(ctx, driver.VolumeFor(node)), node)
			first := harness.NeedOK(driver.Controller.ControllerPublishVolume(ctx, request)).GetPublishContext()

			expectAgain(ctx, driver, request, first)
		},
	}, {
		// The plugin decides whether writing is compatible with reading.
		ID:           "attach_again_other_mode",
		Text:         "returns OK or ALREADY_EXISTS for a volume that is already attached with another access mode",
		Requirements: []string{"CP-05", "CP-29", "CP-33", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			reader := driver.Reader()
			volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), driver.Capability(), reader)
			request := publication.AttachRequest(driver, volume, node)
			harness.NeedOK(driver.Controller.ControllerPublishVolume(ctx, request))

			request.VolumeCapability = reader

			harness.ExpectOKOrRefused(ctx, "CP-33", attach(ctx, driver, request),
				fmt.Sprintf("a volume that is attached with %s is OK with SINGLE_NODE_READER_ONLY if the two are compatible (CP-05), and else ALREADY_EXISTS", driver.Profile().Plain().Mode()), codes.AlreadyExists)
		},
	}}
}

// expectAgain repeats the call and expects the same publish_context.
func expectAgain(ctx context.Context, driver *harness.Driver, request *csi.ControllerPublishVolumeRequest, first map[string]string) {
	again, err := driver.Controller.ControllerPublishVolume(ctx, request)
	harness.ExpectOK("CP-05", err, "a volume that is attached to the node in the same way is OK, as ControllerPublishVolume is idempotent (CP-04)")
	publication.ExpectSameContext(first, again.GetPublishContext())
}
