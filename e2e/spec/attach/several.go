// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attachingToSeveral returns the cases about attaching a volume to several nodes: its access mode determines how many
// at a time.
func attachingToSeveral() []harness.Case {
	cases := []harness.Case{{
		ID:           "attach_second_node",
		Text:         "refuses to attach a single-node volume to a second node, also after calls that were given up, and says where it is attached",
		Requirements: []string{"CP-12", "CP-29", "CP-34", "CP-35", "GEN-07", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(needs(2), harness.Volumes(2)),
		Run:          attachToSecondNode,
	}, {
		ID:           "attach_second_reader",
		Text:         "refuses to attach a volume of SINGLE_NODE_READER_ONLY to a second node",
		Requirements: []string{"CP-12", "CP-29", "CP-34", "CP-35", "GEN-15", "GEN-16"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectOneNode(ctx, driver, csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY)
		},
	}}
	for _, shared := range []struct {
		id, text string
		mode     csi.VolumeCapability_AccessMode_Mode
		reads    bool // on both nodes
		block    bool // in addition to file systems
	}{
		{"attach_multi_writer", "attaches a volume of MULTI_NODE_MULTI_WRITER to two nodes", csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER, false, false},
		{"attach_multi_writer_block", "attaches a block volume of MULTI_NODE_MULTI_WRITER to two nodes", csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER, false, true},
		{"attach_multi_reader", "attaches a volume of MULTI_NODE_READER_ONLY to two nodes", csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY, true, false},
	} {
		needs := needs(2)
		if shared.block {
			needs = harness.Needs(needs, harness.Mount(), harness.Block())
		}
		cases = append(cases, harness.Case{
			ID:           shared.id,
			Text:         shared.text,
			Requirements: []string{"CP-07", "CP-11", "CV-12"},
			Needs:        needs,
			Run: func(ctx context.Context, driver *harness.Driver) {
				volume, capability := needShared(ctx, driver, shared.mode, shared.block)
				one, other := publication.TwoOf(driver, volume)
				readOnly := shared.reads && driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)
				expectOnBoth(ctx, driver, volume, capability, []*harness.Node{one, other}, []bool{readOnly, readOnly})
			},
		})
	}
	return append(cases, harness.Case{
		ID:           "attach_single_writer",
		Text:         "attaches a volume of MULTI_NODE_SINGLE_WRITER to a node that writes and to one that reads, and to no second writer",
		Requirements: []string{"CP-07", "CP-11", "CP-14", "CV-12"},
		Needs:        harness.Needs(needs(2), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)),
		Run:          attachSingleWriter,
	})
}

// needShared creates a volume of the access mode that two nodes reach, and returns the capability that it has.
func needShared(ctx context.Context, driver *harness.Driver, mode csi.VolumeCapability_AccessMode_Mode, block bool) (*csi.Volume, *csi.VolumeCapability) {
	if !block {
		return driver.NeedVolumeOf(ctx, publication.ForTwo(driver), mode)
	}
	capability := messages.As(driver.Block(), mode)
	return driver.NeedVolumeWith(ctx, publication.ForTwo(driver), capability), capability
}

// attachToSecondNode attaches a volume to a second node, and then another volume that was attached by calls that were given
// up. For the latter, the driver has no excuse by confirming the capability: it has refused the first volume.
func attachToSecondNode(ctx context.Context, driver *harness.Driver) {
	mode := driver.Profile().Plain().Mode()
	if messages.ForSeveralNodes(mode) {
		mode = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	}
	if !expectOneNode(ctx, driver, mode) {
		return
	}
	volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), mode)
	one, other := publication.TwoOf(driver, volume)
	first, second := publication.AttachRequest(driver, volume, one), publication.AttachRequest(driver, volume, other)
	first.VolumeCapability, second.VolumeCapability = capability, capability
	_, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.ControllerPublishVolumeResponse, error) {
		return driver.Controller.ControllerPublishVolume(ctx, first)
	})
	harness.NeedOK(first, err)

	harness.ExpectRefused(ctx, "CP-34", attach(ctx, driver, second), fmt.Sprintf("volume %s was attached to %s by calls that were given up and repeated, and was created with %s: on %s it is FAILED_PRECONDITION, as it was for another volume",
		volume.GetVolumeId(), one, mode, other), codes.FailedPrecondition)
}

// expectOneNode accepts a volume on both nodes if the driver confirms that it can be used there, and reports whether it was
// refused.
func expectOneNode(ctx context.Context, driver *harness.Driver, mode csi.VolumeCapability_AccessMode_Mode) (refused bool) {
	volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), mode)
	one, other := publication.TwoOf(driver, volume)
	publication.AttachAs(ctx, driver, volume, one, capability)
	second := publication.AttachRequest(driver, volume, other)
	second.VolumeCapability = capability

	err := attach(ctx, driver, second)

	why := fmt.Sprintf("volume %s is attached to %s and was created with %s: on %s it is FAILED_PRECONDITION", volume.GetVolumeId(), one, mode, other)
	if mode := validation.ConfirmedForSeveral(ctx, driver, volume); err == nil && mode != "" {
		suite.Warn(ctx, "CP-34", "%s; it was attached there as well, which contradicts nothing, as ValidateVolumeCapabilities confirms %s", why, mode)
		return false
	}
	harness.ExpectRefused(ctx, "CP-34", err, why, codes.FailedPrecondition)
	suite.Should(ctx, "CP-35", strings.Contains(err.Error(), one.ID), "the message should name the node_id of the node that has the volume, %q: %v", one.ID, err)
	return true
}

// attachSingleWriter requests a second writer as well, which is a mistake of the CO.
func attachSingleWriter(ctx context.Context, driver *harness.Driver) {
	volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER)
	writer, reader := publication.TwoOf(driver, volume)
	expectOnBoth(ctx, driver, volume, capability, []*harness.Node{writer, reader}, []bool{false, true})
	harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, reader)))

	second := publication.AttachRequest(driver, volume, reader)
	second.VolumeCapability = capability

	harness.ExpectMistakeRefused(ctx, "CP-11", attach(ctx, driver, second), fmt.Sprintf(
		"only one of the nodes of a MULTI_NODE_SINGLE_WRITER volume can write: volume %s is attached read-write to %s, and a read-write attachment to %s was requested too", volume.GetVolumeId(), writer, reader))
}

// expectOnBoth attaches the volume to the nodes, one after the other, and expects it to be attached to both then.
func expectOnBoth(ctx context.Context, driver *harness.Driver, volume *csi.Volume, capability *csi.VolumeCapability, nodes []*harness.Node, readOnly []bool) {
	mode := capability.GetAccessMode().GetMode()
	for i, node := range nodes {
		request := publication.AttachRequest(driver, volume, node)
		request.VolumeCapability, request.Readonly = capability, readOnly[i]
		expectAttached(request, node, attach(ctx, driver, request))
	}
	first := nodes[0]
	driver.Settled(ctx, effect.Attachment, func() bool { return !slices.Contains(lists(ctx, driver, volume, first), false) })
	suite.Must("CP-11", !slices.Contains(lists(ctx, driver, volume, first), false), "volume %s of %s was attached to %s and then to %s, and is no longer on %s, as ListVolumes or ControllerGetVolume shows",
		volume.GetVolumeId(), mode, first, nodes[1], first)
}

// lists reports, for each call that lists nodes for the volume, whether this node is among them.
func lists(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node) []bool {
	var found []bool
	for _, nodes := range listing.PublishedNodes(ctx, driver, volume.GetVolumeId()) {
		if len(nodes) > 0 {
			found = append(found, slices.Contains(nodes, node.ID))
		}
	}
	return found
}
